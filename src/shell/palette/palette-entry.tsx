import { type ReactNode, useEffect, useRef } from 'react';
import { IconHash } from '@tabler/icons-react';

import { ROOM_TITLES, splitRoomKey } from '#domain/rooms.ts';
import { toSenderLabel } from '#domain/rules/sender.ts';
import { toExcerpt } from '#domain/text/found-text.ts';
import { toShortLabel } from '#domain/text/short-label.ts';
import { toEpochMs } from '#domain/timetoken.ts';
import type { SearchHit } from '#src/actors/search.ts';
import { InitialsAvatar } from '#src/ui/initials-avatar.tsx';
import { useNow } from '#src/ui/use-now.ts';
import { MarkedText } from '#src/ui/text/marked-text.tsx';
import { toUnreadDescription, UnreadBadge } from '#src/ui/unread-badge.tsx';

import type { Choice, Entry, Option } from './entries.ts';
import classes from './palette.module.css';

const AVATAR_PX = 28;
/** One line, on which the first hit is visible, also on a phone; UTF-16 units. */
const LINE = { max: 100, lead: 16, whole: 32 };

interface OptionProps {
  readonly option: Option;
  readonly id: string;
  readonly active: boolean;
  /** Its full accessible name, if its visible text is shorter. */
  readonly name: string;
  readonly look: 'line' | 'chip';
  readonly onChoose: (choice: Choice) => void;
  readonly children: ReactNode;
}

const OptionButton = ({ option, id, active, name, look, onChoose, children }: OptionProps) => {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (active) button.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <button
      ref={button}
      type="button"
      id={id}
      role="option"
      aria-selected={active}
      aria-label={
        [name, toUnreadDescription(option.unread)].filter(Boolean).join(', ') || undefined
      }
      // The field keeps the focus and represents its options (ARIA combobox pattern).
      tabIndex={-1}
      className={classes[look]}
      onClick={() => onChoose(option.choice)}
    >
      {children}
      <UnreadBadge count={option.unread} />
    </button>
  );
};

const Client = ({ id, name }: { readonly id: string; readonly name: string }) => (
  <>
    <InitialsAvatar name={name} seed={id} shape="round" size={AVATAR_PX} />
    <span className={classes['client']} dir="auto">
      {name}
    </span>
  </>
);

interface EntryProps<Kind extends Entry['kind']> {
  readonly entry: Extract<Entry, { readonly kind: Kind }>;
  /** The id of the option with this number. */
  readonly toId: (option: number) => string;
  /** Undefined if another row is active. */
  readonly active: number | undefined;
  readonly onChoose: (choice: Choice) => void;
}

/** A client opens at the room last used; its rooms are in the same row. */
const ClientEntry = ({ entry, toId, active, onChoose }: EntryProps<'client'>) => {
  const { id, client, main, rooms } = entry;
  const first = main === undefined ? 0 : 1;
  return (
    <div role="group" aria-label={client} className={classes['entry']}>
      {main === undefined ? (
        <span className={classes['line']}>
          <Client id={id} name={client} />
        </span>
      ) : (
        <OptionButton
          option={main}
          id={toId(0)}
          active={active === 0}
          name={client}
          look="line"
          onChoose={onChoose}
        >
          <Client id={id} name={client} />
        </OptionButton>
      )}
      <span className={classes['rooms']}>
        {rooms.map((option, index) => (
          <OptionButton
            key={option.label}
            option={option}
            id={toId(first + index)}
            active={active === first + index}
            name={`${client}, ${option.label}`}
            look="chip"
            onChoose={onChoose}
          >
            {option.label}
          </OptionButton>
        ))}
      </span>
    </div>
  );
};

/** The room, the sender, the time and the text of a message. */
const Message = ({ hit }: { readonly hit: SearchHit }) => {
  const now = useNow();
  return (
    <>
      <InitialsAvatar
        name={hit.client}
        seed={splitRoomKey(hit.room).clientId}
        shape="round"
        size={AVATAR_PX}
      />
      <span className={classes['message']}>
        <span className={classes['where']}>
          <bdi>{hit.client}</bdi> · {ROOM_TITLES[splitRoomKey(hit.room).roomId]} ·{' '}
          {toSenderLabel(hit.sender)} · {toShortLabel(toEpochMs(hit.at), now)}
        </span>{' '}
        <span className={classes['said']} dir="auto">
          <MarkedText found={toExcerpt(hit.excerpt, LINE)} />
        </span>
      </span>
    </>
  );
};

export const PaletteEntry = (props: EntryProps<Entry['kind']>) => {
  const { entry, toId, active, onChoose } = props;
  if (entry.kind === 'client') return <ClientEntry {...props} entry={entry} />;
  const common = { option: entry.main, id: toId(0), active: active === 0, onChoose };
  if (entry.kind === 'message') {
    return (
      <OptionButton {...common} name="" look="line">
        <Message hit={entry.hit} />
      </OptionButton>
    );
  }
  if (entry.kind === 'choice') {
    return (
      <OptionButton {...common} name={entry.main.label} look="line">
        <span className={classes['icon']}>
          <entry.icon size={18} stroke={1.7} aria-hidden />
        </span>
        {entry.main.label}
      </OptionButton>
    );
  }
  return (
    <OptionButton {...common} name={`${entry.client}, ${entry.main.label}`} look="line">
      <Client id={entry.clientId} name={entry.client} />{' '}
      <span className={classes['room']}>
        <IconHash size={15} stroke={1.8} aria-hidden />
        {entry.main.label}
      </span>
    </OptionButton>
  );
};
