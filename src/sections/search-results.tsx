import { memo } from 'react';

import { ROOM_TITLES, splitRoomKey } from '#domain/rooms.ts';
import { toMessagePath } from '#domain/queries.ts';
import { toSenderLabel } from '#domain/rules/sender.ts';
import { toIso, toMomentLabel } from '#domain/text/date-label.ts';
import { toEpochMs } from '#domain/timetoken.ts';
import type { SearchHit } from '#src/actors/search.ts';
import { Link } from '#src/ui/address.tsx';
import { InitialsAvatar } from '#src/ui/initials-avatar.tsx';
import { MarkedText } from '#src/ui/text/marked-text.tsx';
import { useNow } from '#src/ui/use-now.ts';

import classes from './search-results.module.css';

const AVATAR_PX = 32;

const Neighbour = ({ of }: { readonly of: SearchHit['before'] }) =>
  of !== undefined && (
    <span className={classes['neighbour']} dir="auto">
      <bdi>{of.sender}</bdi>: {of.text}
    </span>
  );

const Result = ({
  hit,
  now,
  onChoose,
}: {
  readonly hit: SearchHit;
  readonly now: number;
  readonly onChoose: () => void;
}) => {
  const { clientId, roomId } = splitRoomKey(hit.room);
  const at = toEpochMs(hit.at);
  return (
    <Link to={toMessagePath(hit.room, hit.at)} className={classes['link']} onClick={onChoose}>
      <InitialsAvatar name={hit.client} seed={clientId} shape="round" size={AVATAR_PX} />
      <span className={classes['body']}>
        <span className={classes['where']}>
          <bdi className={classes['client']}>{hit.client}</bdi>{' '}
          <span className={classes['room']}>{ROOM_TITLES[roomId]}</span>{' '}
          <time className={classes['time']} dateTime={toIso(at)}>
            {toMomentLabel(at, now)}
          </time>
        </span>
        <Neighbour of={hit.before} />
        <span className={classes['text']} dir="auto">
          {/* The text alone decides the direction, and with it which end is cut off. */}
          <bdi className={classes['sender']} data-role={hit.sender.role}>
            {toSenderLabel(hit.sender)}:
          </bdi>{' '}
          <MarkedText found={hit.excerpt} />
        </span>
        <Neighbour of={hit.after} />
      </span>
    </Link>
  );
};

/** The messages that were found, each a link to its place in its room. */
export const SearchResults = memo(
  ({ hits, onChoose }: { readonly hits: readonly SearchHit[]; readonly onChoose: () => void }) => {
    const now = useNow();
    return (
      <ul aria-label="Results" className={classes['list']}>
        {hits.map((hit) => (
          <li key={hit.key}>
            <Result hit={hit} now={now} onChoose={onChoose} />
          </li>
        ))}
      </ul>
    );
  },
);
