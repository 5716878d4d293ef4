import { findUncovered } from '#tests/support/machines/cover-machine.ts';
import { createMachine } from 'xstate';
import { describe, expect, it } from 'vitest';

describe('findUncovered', () => {
  it('names unreachable states and transitions that no signal takes', () => {
    const machine = createMachine({
      id: 'door',
      initial: 'open',
      states: {
        open: { on: { 'door.pushed': 'shut', 'door.lifted': 'open' } },
        shut: { always: { guard: () => false, target: 'gone' } },
        gone: {},
      },
    });
    expect(findUncovered([{ machine, signals: [{ type: 'door.pushed' }] }])).toEqual([
      'door.gone',
      'door.open on door.lifted #1',
      'door.shut on always #0',
    ]);
  });
});
