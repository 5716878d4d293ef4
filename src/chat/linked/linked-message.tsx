import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { IconLink, IconLinkOff, IconX } from '@tabler/icons-react';

import { useThreadFloor } from '#db/hooks/use-thread.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { MESSAGE_PARAM } from '#domain/queries.ts';
import { toRoomPath } from '#domain/routes.ts';
import { parseTimetoken, type Timetoken, TIMETOKEN_MAX } from '#domain/timetoken.ts';
import { type HistoryView, useConnection } from '#src/actors/desk.ts';
import { navigate } from '#src/ui/address.tsx';
import { passFocus } from '#src/ui/focus.ts';
import { PlainButton } from '#src/ui/plain-button.tsx';
import { useLasting } from '#src/ui/hooks/use-lasting.ts';
import { Delayed, Spinner } from '#src/ui/waiting.tsx';

import type { ThreadRow } from '../rows/thread-row.ts';
import { findLinked, type Jump, type Linked } from './find-linked.ts';
import classes from './linked-message.module.css';
import { useFocusLinkedMessage } from './use-focus-linked-message.ts';

interface LinkedMessageProps {
  readonly room: RoomKey;
  /** The query of the address. */
  readonly query: string;
  readonly rows: readonly ThreadRow[];
  readonly history: HistoryView;
  readonly offline: boolean;
  readonly onJump: (jump: Jump | undefined) => void;
}

/** Changes whenever a link is followed, even to the current address. */
const useVisits = (): number => {
  const [visits, setVisits] = useState(0);
  useEffect(() => {
    const count = (): void => setVisits((before) => before + 1);
    const listening = new AbortController();
    for (const name of ['pushState', 'replaceState', 'popstate']) {
      window.addEventListener(name, count, listening);
    }
    return () => listening.abort();
  }, []);
  return visits;
};

/**
 * Requests older messages until the linked one is loaded, while more arrive; after a failure,
 * again when the connection returns.
 */
const useLoadTowards = ({ kind, isOlder }: Linked, history: HistoryView): void => {
  const isOnline = useConnection().kind === 'online';
  const again = useEffectEvent(() => {
    if (history.moreFailed) history.fetchMore(true);
  });
  useEffect(() => {
    if (isOnline) again();
  }, [isOnline]);
  const askedFrom = useRef<Timetoken | undefined>(undefined);
  const step = useEffectEvent(() => {
    const { state, fetchingMore, from } = history;
    if (kind !== 'loading' || !isOlder || state !== 'success' || fetchingMore) return;
    if (askedFrom.current === from) return;
    askedFrom.current = from;
    history.fetchMore(true);
  });
  useEffect(() => step());
};

/** A request without a network may wait for it. Messages on this device arrive sooner, ms. */
const LATE_MS = 1000;

const toText = (kind: Linked['kind'] | 'invalid', offline: boolean): string => {
  switch (kind) {
    case 'invalid':
      return "This link doesn't point to a message, so the room opened at its end.";
    case 'loading':
      return 'Loading the messages up to the linked one…';
    case 'unreachable':
      return offline
        ? "The linked message isn't on this device. It opens when you're back online."
        : "The linked message isn't on this device, and couldn't be loaded yet.";
    case 'missing':
      return "The linked message isn't in this room. This is where it would be.";
    case 'found':
      return '';
    default:
      return kind satisfies never;
  }
};

/** The state of a link to a message, unless the message is shown. */
const Note = ({
  kind,
  offline,
  onClose,
}: {
  readonly kind: Linked['kind'] | 'invalid';
  readonly offline: boolean;
  readonly onClose: () => void;
}) => (
  <div ref={passFocus} className={classes['note']} data-kind={kind}>
    {kind === 'loading' ? <Spinner size={16} /> : <NoteIcon isKnown={kind === 'unreachable'} />}
    <p role="status" className={classes['text']}>
      {toText(kind, offline)}
    </p>
    {kind === 'loading' && <PlainButton kind="pill" text="Stop" onClick={onClose} />}
    {kind !== 'loading' && (
      <button type="button" aria-label="Close" className={classes['close']} onClick={onClose}>
        <IconX size={16} aria-hidden />
      </button>
    )}
  </div>
);

const NoteIcon = ({ isKnown }: { readonly isKnown: boolean }) =>
  isKnown ? <IconLink size={18} aria-hidden /> : <IconLinkOff size={18} aria-hidden />;

/** Jumps to the message at a position, or shows why that is not possible. */
const LinkedPosition = (props: LinkedMessageProps & { readonly at: Timetoken }) => {
  const { room, at, rows, history, offline, onJump } = props;
  const stored = useThreadFloor(room);
  const wanted = history.from ?? TIMETOKEN_MAX;
  const isLate = useLasting(offline && history.fetchingMore, LATE_MS);
  const linked = findLinked(at, rows, {
    // The thread follows the history.
    floor: stored === undefined || stored > wanted ? undefined : wanted,
    hasMore: history.hasMore || history.state !== 'success',
    isOlderStuck: history.moreFailed || history.state === 'error' || isLate,
    newest: history.newest === 'reading' && offline ? 'failed' : history.newest,
  });
  const { kind, key } = linked;
  useLoadTowards(linked, history);
  const visits = useVisits();
  const focusLinked = useFocusLinkedMessage();
  const jumpedOn = useRef('');
  const jump = useEffectEvent(() => {
    const occasion = `${visits} ${kind}`;
    if (kind === 'loading' || key === undefined || jumpedOn.current === occasion) return;
    jumpedOn.current = occasion;
    onJump({ key, isLinked: kind === 'found' });
    if (kind === 'found') focusLinked();
  });
  useEffect(() => jump());
  const leave = useEffectEvent(() => {
    jumpedOn.current = '';
    onJump(undefined);
  });
  useEffect(() => () => leave(), []);
  if (kind === 'found') return undefined;
  const note = (
    <Note kind={kind} offline={offline} onClose={() => navigate(toRoomPath(room), true)} />
  );
  return kind === 'loading' ? <Delayed>{note}</Delayed> : note;
};

/** Opens a room at the message that its address names, if it names one. */
const LinkedMessage = (props: LinkedMessageProps) => {
  const linked = new URLSearchParams(props.query).get(MESSAGE_PARAM);
  if (linked === null) return null;
  const at = parseTimetoken(linked);
  if (at !== undefined) return <LinkedPosition {...props} at={at} />;
  const close = (): void => navigate(toRoomPath(props.room), true);
  return <Note kind="invalid" offline={false} onClose={close} />;
};

export default LinkedMessage;
