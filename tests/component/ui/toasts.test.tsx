import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';

import { closeToast, showToast, useToasts } from '#src/ui/toasts/toast-store.ts';

const { result } = renderHook(useToasts);

afterEach(() => {
  act(() => {
    for (const { id } of result.current) closeToast(id);
  });
  cleanup();
});

it('two equal toasts with an action both stay: each undoes something else', () => {
  const undone: string[] = [];
  const undo = (name: string) => ({ label: 'Undo', run: () => undone.push(name) });
  act(() => {
    showToast('info', 'Deleted: “On my way”', undo('first'));
    showToast('info', 'Deleted: “On my way”', undo('second'));
  });
  for (const { action } of result.current) action?.run();
  expect(undone).toEqual(['first', 'second']);
});
