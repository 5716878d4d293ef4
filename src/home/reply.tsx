import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { IconX } from '@tabler/icons-react';

import { useProducers, useRoomDescription } from '#db/hooks/use-stored.ts';
import { useThread } from '#db/hooks/use-thread.ts';
import type { ThreadItem } from '#domain/project/rows.ts';
import { splitRoomKey } from '#domain/rooms.ts';
import { type People, toSender, toSenderLabel } from '#domain/rules/sender.ts';
import type { User } from '#domain/schemas/session.ts';
import { toFirstName } from '#domain/schemas/team.ts';
import { toRoomName } from '#domain/room-name.ts';
import { toIso, toMomentLabel } from '#domain/text/date-label.ts';
import { toEpochMs } from '#domain/timetoken.ts';
import { toVisible, UNREADABLE_TEXT } from '#domain/visible-text.ts';
import { useMessageCommands } from '#src/actors/desk.ts';
import { Composer } from '#src/chat/composer/composer.tsx';
import { focusAtEnd } from '#src/chat/composer/focus-at-end.ts';
import { toDraftKey, useDraft } from '#src/drafts/drafts.ts';
import { isComposing } from '#src/ui/key-names.ts';
import { useNow } from '#src/ui/use-now.ts';

import classes from './reply.module.css';
import type { Entry } from './sections.ts';

/** The last messages, which an answer refers to; the room itself has the others. */
const SHOWN_MESSAGES = 3;
/** More characters than fit where a message is shown. */
const TEXT_LENGTH_MAX = 1200;

interface ShownMessage {
  readonly key: string;
  readonly who: string;
  readonly text: string;
  readonly at: number;
  readonly own: boolean;
}

const toShown = (item: ThreadItem, people: People): ShownMessage => {
  if (item.source === 'outbox') {
    return { key: item.key, who: 'You', text: item.item.text, at: item.item.at, own: true };
  }
  const { row, key, own } = item;
  const who = toSenderLabel(toSender(row, people));
  const text = row.kind === 'message' ? toVisible(row.text) : UNREADABLE_TEXT;
  return { key, who, text: text.slice(0, TEXT_LENGTH_MAX), at: toEpochMs(row.timetoken), own };
};

/** The last messages of the room in full, so that nobody answers half a sentence. */
const LastMessages = ({
  entry,
  user,
  onShown,
}: {
  readonly entry: Entry;
  readonly user: User;
  readonly onShown: () => void;
}) => {
  const { room, team } = entry;
  const items = useThread(room, undefined, user.uid);
  const isShown = items !== undefined;
  const notify = useEffectEvent(onShown);
  useEffect(() => {
    if (isShown) notify();
  }, [isShown]);
  const staff = useProducers();
  const now = useNow();
  const said = useMemo(() => {
    const people = { user, team, staff };
    return (items ?? []).slice(-SHOWN_MESSAGES).map((item) => toShown(item, people));
  }, [items, user, team, staff]);
  return (
    <ul className={classes['messages']} aria-label="Last messages">
      {said.map(({ key, who, text, at, own }) => (
        <li key={key} className={classes['message']} data-own={own || undefined}>
          <bdi className={classes['who']}>{who}</bdi>
          <time className={classes['time']} dateTime={toIso(at)}>
            {toMomentLabel(at, now)}
          </time>
          <p className={classes['text']} dir="auto">
            {text}
          </p>
        </li>
      ))}
    </ul>
  );
};

/** Closes the reply with Escape, from the field or a button in it. */
const useEscape = (root: RefObject<HTMLElement | null>, onClose: () => void): void => {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const { current } = root;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || isComposing(event)) return;
      event.preventDefault();
      close();
    };
    current?.addEventListener('keydown', onKeyDown);
    return () => current?.removeEventListener('keydown', onKeyDown);
  }, [root]);
};

/**
 * Answers a room from its entry: the room's own message field, with its draft. It closes once its
 * text was accepted, or with Escape, which keeps the draft.
 */
export const Reply = ({
  entry,
  user,
  onSent,
  onClose,
}: {
  readonly entry: Entry;
  readonly user: User;
  readonly onSent: () => void;
  readonly onClose: () => void;
}) => {
  const { room, team } = entry;
  const { roomId } = splitRoomKey(room);
  const root = useRef<HTMLDivElement>(null);
  const commands = useMessageCommands();
  const draftKey = toDraftKey(user.uid, room);
  const [draft] = useDraft(draftKey);
  const [isAccepted, setAccepted] = useState(false);
  const isDone = isAccepted && draft === '';
  const send = useMemo(() => {
    const accept = commands.sendTo(room);
    return async (text: string) => {
      const result = await accept(text);
      if (result.ok) setAccepted(true);
      return result;
    };
  }, [commands, room]);
  // Text typed while the first one was being accepted is an answer of its own.
  useEffect(() => {
    if (isDone) onSent();
  }, [isDone, onSent]);
  useEffect(() => {
    focusAtEnd(root.current?.querySelector('textarea'));
  }, []);
  useEscape(root, onClose);
  // The messages may need more than the screen; the field comes first.
  const scroll = (): void => {
    for (const part of [root.current, root.current?.querySelector('form')]) {
      part?.scrollIntoView({ block: 'nearest' });
    }
  };
  return (
    <div ref={root} role="group" aria-label="Reply" className={classes['root']}>
      <LastMessages entry={entry} user={user} onShown={scroll} />
      <Composer
        roomName={toRoomName(room, toFirstName(team))}
        description={useRoomDescription(roomId)}
        draftKey={draftKey}
        send={send}
      />
      <button
        type="button"
        className={classes['close']}
        aria-label="Close reply"
        title="Close (Esc)"
        onClick={onClose}
      >
        <IconX size={16} aria-hidden />
      </button>
    </div>
  );
};
