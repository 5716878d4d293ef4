import { glob, readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { findDiagram, renderDiagram } from '#tests/support/machines/render-diagram.ts';
import { MACHINES } from '#tests/support/machines/machine-list.ts';
import { describe, expect, it } from 'vitest';

const listNames = async (ending: string): Promise<readonly string[]> => {
  const names: string[] = [];
  for await (const file of glob(`machines/**/*${ending}`)) names.push(basename(file, ending));
  return names.toSorted();
};

describe('diagrams', () => {
  it('cover every machine', async () => {
    const sources = await listNames('.machine.ts');
    expect(Object.keys(MACHINES)).toEqual(sources);
    expect(await listNames('.machine.md')).toEqual(sources);
  });

  it.each(Object.entries(MACHINES))(
    '%s is up to date (else: node tests/support/machines/write-diagrams.ts)',
    async (name, machine) => {
      const written = await readFile(await findDiagram(name), 'utf8');
      expect(written).toBe(renderDiagram(machine));
    },
  );
});
