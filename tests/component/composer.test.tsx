import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';

import type { AppError } from '#domain/errors.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { Composer } from '#src/chat/composer/composer.tsx';
import { clearDrafts } from '#src/drafts/drafts.ts';

afterEach(() => {
  cleanup();
  clearDrafts();
});

let rooms = 0;

/** A composer with a separate room, whose sends end when the test decides. */
const open = () => {
  rooms += 1;
  const sent: string[] = [];
  const pending: ((result: Result<string, AppError>) => void)[] = [];
  const send = (text: string): Promise<Result<string, AppError>> => {
    sent.push(text);
    return new Promise((done) => void pending.push(done));
  };
  const draftKey = `u_me|room-${rooms}`;
  const show = () => render(<Composer roomName="Maya · Team" draftKey={draftKey} send={send} />);
  const { unmount } = show();
  return {
    sent,
    user: userEvent.setup(),
    reopen: () => {
      unmount();
      show();
    },
    settle: async (result: Result<string, AppError> = ok('id')) => {
      pending.shift()?.(result);
      await Promise.resolve();
    },
  };
};

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });

describe('the composer', () => {
  it('accepts a retry after a throw, and keeps the text until then', async () => {
    const tries: string[] = [];
    const send = (text: string): Promise<Result<string, AppError>> => {
      tries.push(text);
      if (tries.length === 1) throw new Error('storage');
      return Promise.resolve(ok('id'));
    };
    const user = userEvent.setup();
    render(<Composer roomName="Maya · Team" draftKey="u_me|thrown" send={send} />);
    await user.type(field(), 'Clip is up{Enter}');
    expect(field().value).toBe('Clip is up');
    await user.type(field(), '{Enter}');
    await waitFor(() => expect(field().value).toBe(''));
    expect(tries).toEqual(['Clip is up', 'Clip is up']);
  });

  it('sends on Enter and clears only once the message was accepted', async () => {
    const { user, sent, settle } = open();
    await user.type(field(), 'Clip is up{Enter}');
    expect(sent).toEqual(['Clip is up']);
    expect(field().value).toBe('Clip is up');
    await settle();
    await waitFor(() => expect(field().value).toBe(''));
  });

  it('starts a new line on Shift+Enter and sends nothing empty', async () => {
    const { user, sent } = open();
    await user.type(field(), '{Enter}   {Enter}');
    expect(sent).toEqual([]);
    await user.clear(field());
    await user.type(field(), 'one{Shift>}{Enter}{/Shift}two');
    expect(sent).toEqual([]);
    expect(field().value).toBe('one\ntwo');
  });

  it('leaves Enter to an input method that is composing', () => {
    const { sent } = open();
    fireEvent.change(field(), { target: { value: 'こんにち' } });
    fireEvent.keyDown(field(), { key: 'Enter', isComposing: true });
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 });
    expect(sent).toEqual([]);
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect(sent).toEqual(['こんにち']);
  });

  it('keeps text typed while a message is being accepted, and sends it next', async () => {
    const { user, sent, settle } = open();
    await user.type(field(), 'first{Enter}');
    await user.type(field(), 'second{Enter}');
    expect(sent).toEqual(['first']);
    await settle();
    await waitFor(() => expect(sent).toEqual(['first', 'second']));
    expect(field().value).toBe('second');
    await settle();
    await waitFor(() => expect(field().value).toBe(''));
  });

  it('sends the text of each Enter, in order, however long the first takes', async () => {
    const { user, sent, settle } = open();
    await user.type(field(), 'no{Enter}go{Enter}hm{Enter}{Enter}s');
    expect(sent).toEqual(['no']);
    for (const [count, left] of ['gohms', 'hms', 's'].entries()) {
      await settle();
      await waitFor(() => expect(field().value).toBe(left));
      expect(sent).toEqual(['no', 'go', 'hm'].slice(0, count + 2));
    }
    await user.type(field(), 'o{Enter}');
    expect(sent).toEqual(['no', 'go', 'hm', 'so']);
    await settle();
    await waitFor(() => expect(field().value).toBe(''));
  });

  it('lets the user correct what was typed while a message is being accepted', async () => {
    const { user, sent, settle } = open();
    await user.type(field(), 'no{Enter}gi{Backspace}o{Enter}hn{Backspace}m');
    await settle();
    await waitFor(() => expect(sent).toEqual(['no', 'go']));
    await settle();
    await waitFor(() => expect(field().value).toBe('hm'));
    expect(sent).toEqual(['no', 'go']);
  });

  it('takes back a text that waits to be accepted when the user edits it', async () => {
    const { user, sent, settle } = open();
    await user.type(field(), 'no{Enter}god{Enter}{Backspace}');
    await settle();
    await waitFor(() => expect(field().value).toBe('go'));
    await user.type(field(), '{Enter}');
    expect(sent).toEqual(['no', 'go']);
  });

  it('does not change a text that was edited meanwhile', async () => {
    const { user, settle } = open();
    await user.type(field(), 'a{Enter}');
    await user.clear(field());
    await user.type(field(), 'another');
    await settle();
    await waitFor(() => expect(field().value).toBe('another'));
  });

  it('keeps a text that replaced the sent one, and sends it whole', async () => {
    const { user, sent, settle } = open();
    await user.type(field(), 'a{Enter}');
    await user.type(field(), 'another{Enter}', {
      initialSelectionStart: 0,
      initialSelectionEnd: 1,
    });
    await settle();
    await waitFor(() => expect(sent).toEqual(['a', 'another']));
    expect(field().value).toBe('another');
    await settle();
    await waitFor(() => expect(field().value).toBe(''));
  });

  it('gives back all texts that wait when one is refused, each on its own line', async () => {
    const { user, sent, settle } = open();
    await user.type(field(), 'no{Enter}go{Enter}hm{Enter}s');
    await settle();
    await waitFor(() => expect(sent).toEqual(['no', 'go']));
    await settle(fail({ kind: 'quota' }));
    await screen.findByRole('alert');
    expect(field().value).toBe('go\nhm\ns');
    expect(sent).toEqual(['no', 'go']);
    await user.type(field(), 'o{Enter}');
    expect(sent).toEqual(['no', 'go', 'go\nhm\nso']);
    await settle();
    await waitFor(() => expect(field().value).toBe(''));
  });

  it('sends nothing more once the drafts are deleted', async () => {
    const { user, sent, settle } = open();
    await user.type(field(), 'no{Enter}go{Enter}');
    act(clearDrafts);
    await settle();
    await waitFor(() => expect(field().value).toBe(''));
    await user.type(field(), 'later{Enter}');
    expect(sent).toEqual(['no', 'later']);
  });

  it('keeps a refused text and shows the reason', async () => {
    const { user, settle } = open();
    await user.type(field(), 'far too long{Enter}');
    await settle(fail({ kind: 'too-large', bytes: 40_960, limit: 32_768 }));
    expect((await screen.findByRole('alert')).textContent).toMatch(/40 KB.*32 KB/);
    expect(field().value).toBe('far too long');
    await user.type(field(), '!');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('announces the same refusal again', async () => {
    const { user, settle } = open();
    await user.type(field(), 'no space{Enter}');
    await settle(fail({ kind: 'quota' }));
    const first = await screen.findByRole('alert');
    await user.type(field(), '{Enter}');
    await settle(fail({ kind: 'quota' }));
    await waitFor(() => expect(screen.getByRole('alert')).not.toBe(first));
  });

  it('accepts a text once even if its room was left and reopened meanwhile', async () => {
    const { user, sent, reopen, settle } = open();
    await user.type(field(), 'once{Enter}');
    reopen();
    expect(field().value).toBe('once');
    await user.type(field(), ' more{Enter}');
    expect(sent).toEqual(['once']);
    await settle();
    await waitFor(() => expect(sent).toEqual(['once', ' more']));
    await settle();
    await waitFor(() => expect(field().value).toBe(''));
  });

  it('keeps a draft while another room is open, and typing continues at its end', async () => {
    const { user, reopen } = open();
    await user.type(field(), 'not yet');
    reopen();
    expect(document.activeElement).toBe(field());
    await user.keyboard(' done');
    expect(field().value).toBe('not yet done');
  });
});
