import { readdir, readFile } from 'node:fs/promises';

import { drawMachine } from '#tests/support/draw-machine.ts';
import { MACHINES } from '#tests/support/machine-list.ts';
import { describe, expect, it } from 'vitest';

const FOLDER = new URL('../../machines/', import.meta.url);

describe('drawings', () => {
  it('cover every machine', async () => {
    const files = await readdir(FOLDER);
    const named = (ending: string) =>
      files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length));
    expect(Object.keys(MACHINES)).toEqual(named('.machine.ts').toSorted());
    expect(named('.machine.md').toSorted()).toEqual(named('.machine.ts').toSorted());
  });

  it.each(Object.entries(MACHINES))(
    '%s is as drawn (else: node tests/support/write-drawings.ts)',
    async (name, machine) => {
      const drawn = await readFile(new URL(`${name}.machine.md`, FOLDER), 'utf8');
      expect(drawn).toBe(drawMachine(machine));
    },
  );
});
