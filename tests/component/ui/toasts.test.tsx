import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';

import { TOAST_MS } from '#domain/limits.ts';
import { closeToast, listToasts, showToast, useToasts } from '#src/ui/toasts/toast-store.ts';
import ToastCards from '#src/ui/toasts/toast-cards.tsx';

const { result } = renderHook(useToasts);

const AllToasts = () => <ToastCards toasts={useToasts()} />;

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

it('a toast stays while a dialog covers it', () => {
  vi.useFakeTimers();
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.open = true;
  render(<AllToasts />);
  act(() => showToast('info', 'Copied.'));
  const pass = (): void =>
    act(() => {
      vi.advanceTimersByTime(TOAST_MS);
    });
  pass();
  pass();
  expect(listToasts()).toHaveLength(1);
  dialog.remove();
  pass();
  expect(listToasts()).toEqual([]);
  vi.useRealTimers();
});

it('a toast with an action stays longer than one without', () => {
  vi.useFakeTimers();
  const { unmount } = render(<AllToasts />);
  act(() => {
    showToast('info', 'Copied.');
    showToast('info', 'Deleted: “On my way”', { label: 'Undo', run: () => undefined });
  });
  const pass = (ms: number): void =>
    act(() => {
      vi.advanceTimersByTime(ms);
    });
  const texts = () => listToasts().map(({ text }) => text);
  pass(TOAST_MS);
  expect(texts()).toEqual(['Deleted: “On my way”']);
  pass(TOAST_MS - 1);
  expect(texts()).toHaveLength(1);
  pass(1);
  expect(texts()).toEqual([]);
  unmount();
  vi.useRealTimers();
});

it('a toast with the focus stays after the pointer has crossed it', () => {
  vi.useFakeTimers();
  const { unmount } = render(<AllToasts />);
  act(() => showToast('info', 'Deleted: “On my way”', { label: 'Undo', run: () => undefined }));
  const undo = screen.getByRole('button', { name: 'Undo' });
  const pass = (): void =>
    act(() => {
      vi.advanceTimersByTime(2 * TOAST_MS);
    });
  act(() => undo.focus());
  fireEvent.pointerEnter(undo);
  fireEvent.pointerLeave(undo);
  pass();
  expect(listToasts()).toHaveLength(1);
  act(() => undo.blur());
  pass();
  expect(listToasts()).toEqual([]);
  unmount();
  vi.useRealTimers();
});
