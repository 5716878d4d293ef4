import { glob, readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { drawMachine, findDrawing } from '#tests/support/machines/draw-machine.ts';
import { MACHINES } from '#tests/support/machines/machine-list.ts';
import { describe, expect, it } from 'vitest';

const listNames = async (ending: string): Promise<readonly string[]> => {
  const names: string[] = [];
  for await (const file of glob(`machines/**/*${ending}`)) names.push(basename(file, ending));
  return names.toSorted();
};

describe('drawings', () => {
  it('cover every machine', async () => {
    const sources = await listNames('.machine.ts');
    expect(Object.keys(MACHINES)).toEqual(sources);
    expect(await listNames('.machine.md')).toEqual(sources);
  });

  it.each(Object.entries(MACHINES))(
    '%s is as drawn (else: node tests/support/machines/write-drawings.ts)',
    async (name, machine) => {
      const drawn = await readFile(await findDrawing(name), 'utf8');
      expect(drawn).toBe(drawMachine(machine));
    },
  );
});
