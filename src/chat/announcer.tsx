import { useEffect, useRef, useState } from 'react';

import { toIncoming } from './incoming.ts';
import type { ThreadRow } from './thread-row.ts';

/** More than this at once is read out as a number. */
const READ_OUT_MAX = 3;

const toAnnouncements = (incoming: readonly ThreadRow[]): readonly string[] =>
  incoming.length > READ_OUT_MAX
    ? [`${incoming.length} new messages`]
    : incoming.map((row) => `${row.name}: ${row.text}`);

/** Reads out what others write while the room is open, and nothing else. */
export const Announcer = ({ rows }: { readonly rows: readonly ThreadRow[] }) => {
  const seen = useRef(rows);
  const [lines, setLines] = useState<readonly string[]>([]);
  useEffect(() => {
    const incoming = toIncoming(seen.current, rows);
    seen.current = rows;
    if (incoming.length > 0) setLines(toAnnouncements(incoming));
  }, [rows]);
  return (
    <div role="log" aria-label="New messages" aria-live="polite" className="visually-hidden">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
};
