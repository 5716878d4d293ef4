import { useMemo } from 'react';

import { useStoredMessage } from '#db/hooks/linked/use-stored-message.ts';
import { useProducers, useTeams } from '#db/hooks/use-stored.ts';
import { toMessagePath } from '#domain/queries.ts';
import { splitRoomKey } from '#domain/rooms.ts';
import { toFullName } from '#domain/schemas/team.ts';
import { toRoomName } from '#domain/room-name.ts';
import { listQuoted, type MessagePlace, toQuote } from '#domain/text/quote.ts';
import { useSession } from '#src/actors/actors.ts';
import { Link } from '#src/ui/address.tsx';
import { toAsciiHost } from '#src/ui/text/to-ascii-host.ts';
import { useNow } from '#src/ui/use-now.ts';

import classes from './quotes.module.css';

/**
 * A message of one of the user's clients; nothing if it is not on this device. Its content is
 * rendered by CSS, because its name and its description already contain it.
 */
const QuoteOf = ({ room, at }: MessagePlace) => {
  const { clientId } = splitRoomKey(room);
  const { user } = useSession();
  const team = useTeams()?.find(({ client_id }) => client_id === clientId);
  const staff = useProducers();
  const row = useStoredMessage(room, at);
  const now = useNow();
  const quote = row && user && team && toQuote(row, { user, team, staff }, now);
  if (team === undefined || quote === undefined) return undefined;
  const roomName = toRoomName(room, toFullName(team));
  return (
    <Link
      to={toMessagePath(room, at)}
      aria-label={`Quote: ${quote.author}, ${quote.time}: ${quote.text}`}
      aria-description={roomName}
      className={classes['quote']}
    >
      <span className={classes['head']}>
        <span className={classes['author']} data-text={quote.author} />
        <time className={classes['time']} dateTime={quote.iso} data-text={quote.time} />
        <span className={classes['room']} data-text={`in ${roomName}`} />
      </span>
      <span className={classes['text']} data-text={quote.text} />
    </Link>
  );
};

/** The messages of this installation to which a text links, as far as they are on this device. */
export const Quotes = ({ text }: { readonly text: string }) => {
  const quoted = useMemo(() => listQuoted(text, window.location.origin, toAsciiHost), [text]);
  if (quoted.length === 0) return undefined;
  return (
    <div className={classes['root']}>
      {quoted.map((message) => (
        <QuoteOf key={`${message.room}|${message.at}`} {...message} />
      ))}
    </div>
  );
};
