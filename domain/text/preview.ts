import type { MessageRow, OutboxItem } from '../project/rows.ts';
import { type People, toSender, toSenderLabel } from '../rules/sender.ts';
import { toEpochMs } from '../timetoken.ts';
import { toVisible, UNREADABLE_TEXT } from '../visible-text.ts';

/** One line about a room: the last message, or the one being written. */
export interface Preview {
  /** The author, or the kind of text; empty if that is not known. */
  readonly lead: string;
  readonly text: string;
  /** All but `message` are the user's own and not in the room. */
  readonly kind: 'message' | 'draft' | OutboxItem['state'];
  /** ms since the epoch; a draft has none of its own. */
  readonly at: number | undefined;
}

/** More characters than a line of any width shows. */
const LENGTH_MAX = 160;

const toLine = (text: string): string => {
  const line = text
    .trimStart()
    .slice(0, 2 * LENGTH_MAX + 2)
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const letters = Array.from(line);
  return letters.length > LENGTH_MAX ? `${letters.slice(0, LENGTH_MAX).join('')}…` : line;
};

const toFirstWord = (name: string): string => name.trim().split(/\s+/u)[0] ?? name;

/** The author in one word: the first name of a known sender. */
const toLead = (row: MessageRow, people: People): string =>
  toFirstWord(toSenderLabel(toSender(row, people)));

export const toMessagePreview = (row: MessageRow, people: People): Preview => ({
  lead: toLead(row, people),
  text: row.kind === 'message' ? toLine(toVisible(row.text)) : UNREADABLE_TEXT,
  kind: 'message',
  at: toEpochMs(row.timetoken),
});

export const toDraftPreview = (text: string): Preview => ({
  lead: 'Draft',
  text: toLine(text),
  kind: 'draft',
  at: undefined,
});

/** The preview of a message that is queued or was refused, in the words of the thread. */
export const toUnsentPreview = ({ text, at, state }: OutboxItem): Preview => ({
  lead: state === 'failed' ? 'Not sent' : 'Queued',
  text: toLine(text),
  kind: state,
  at,
});
