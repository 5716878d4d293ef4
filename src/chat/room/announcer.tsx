import { useEffect, useRef, useState } from 'react';

import type { SenderRole } from '#domain/rules/sender.ts';
import { toVisible } from '#domain/visible-text.ts';

import { toIncoming } from '../thread/incoming.ts';
import type { ThreadRow } from '../rows/thread-row.ts';

/** More messages than this at once are announced as a number. */
const READ_OUT_MAX = 3;

interface Line {
  readonly key: string;
  readonly text: string;
}

/** An unknown sender must not sound like a known one. */
const CAUTIONS: Partial<Record<SenderRole, string>> = {
  unknown: 'Unverified sender ',
  unchecked: 'Sender not checked yet, ',
};
const toSpokenName = ({ name, role }: ThreadRow): string => `${CAUTIONS[role] ?? ''}${name}`;

const toLines = (incoming: readonly ThreadRow[]): readonly Line[] =>
  incoming.length > READ_OUT_MAX
    ? incoming.slice(-1).map(({ key }) => ({ key, text: `${incoming.length} new messages` }))
    : incoming.map((row) => ({
        key: row.key,
        text: `${toSpokenName(row)}: ${toVisible(row.text)}`,
      }));

/**
 * Announces the messages of others while the room is open, and nothing else. `whole`: the rows begin
 * with the room's first message, or it has none.
 */
export const Announcer = ({
  rows,
  whole,
}: {
  readonly rows: readonly ThreadRow[];
  readonly whole: boolean;
}) => {
  const seen = useRef({ rows, whole });
  const [lines, setLines] = useState<readonly Line[]>([]);
  useEffect(() => {
    const before = seen.current;
    seen.current = { rows, whole };
    const incoming = toIncoming(before.rows, rows, before.whole);
    if (incoming.length > 0) setLines(toLines(incoming));
  }, [rows, whole]);
  return (
    <div role="log" aria-label="New messages" aria-live="polite" className="visually-hidden">
      {lines.map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
    </div>
  );
};
