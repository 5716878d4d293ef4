import type { SenderRole } from '#domain/rules/sender.ts';
import type { Timetoken } from '#domain/timetoken.ts';

export type MessageState = 'queued' | 'sending' | 'sent' | 'failed';

/**
 * Everything a message needs to render; plain values, so that equal rows are not rendered again.
 */
export interface ThreadRow {
  /** Stable for the life of the message, including its acknowledgement. */
  readonly key: string;
  readonly id: string;
  readonly own: boolean;
  readonly state: MessageState;
  readonly readable: boolean;
  readonly text: string;
  /** The reason of a failed message. */
  readonly reason: string;
  /** The sender's name: shown by the first row of a group. */
  readonly name: string;
  readonly role: SenderRole;
  readonly seed: string;
  readonly startsGroup: boolean;
  /** Its position in the room's log; '' while it is not sent. */
  readonly at: Timetoken | '';
  /** "Today at 3:12 PM", "Yesterday", "Last Friday", … (spec §9). */
  readonly label: string;
  /** "3:12 PM" */
  readonly time: string;
  /** The row above it in the group has the same. */
  readonly repeatsTime: boolean;
  /** For machines: ISO 8601. */
  readonly iso: string;
  /** Messages after this one are missing: loading, or waiting for the connection. */
  readonly gap: '' | 'filling' | 'waiting';
  /** The messages after this row are new to the reader; the line is shown below it. */
  readonly newAfter: boolean;
  /** The day that begins after this row; the label is shown below it. */
  readonly nextDay: string;
}

/** Whether all fields of `a` are the same in `b`. */
export const hasSameFields = <T extends object>(a: T, b: T): boolean =>
  a === b || (Object.keys(a) as (keyof T)[]).every((field) => a[field] === b[field]);
