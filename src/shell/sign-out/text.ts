import type { ConnectionView } from '#src/actors/desk.ts';
import { toOutageText } from '#src/status/connection-text.ts';

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

/** What a sign-out would leave behind now. */
export interface Unsent {
  readonly queued: number;
  /** Refused permanently; their author has yet to decide. */
  readonly failed: number;
  /** Marks that no other device knows. */
  readonly marks: boolean;
  readonly drafts: boolean;
}

/** The sign-out dialog's text about what is unsent, in whole sentences. */
export const toUnsentText = ({ queued, failed, marks, drafts }: Unsent): string =>
  [
    queued > 0 && `${count(queued, 'message is', 'messages are')} still waiting to be sent.`,
    failed > 0 && `${count(failed, 'message', 'messages')} couldn't be sent.`,
    marks &&
      'Changes such as “Done” and reminders are stored only on this device: signing out deletes them.',
    drafts && "Drafts can't be kept: they will be lost.",
  ]
    .filter((sentence) => sentence !== false)
    .join(' ') || 'Nothing is waiting to be sent.';

type Link = Pick<ConnectionView, 'kind' | 'cause'>;
type Outage = Exclude<ConnectionView['kind'], 'online' | 'connecting' | 'waiting'>;

const HELD_UP: Readonly<Record<Outage, string>> = {
  offline: "You're offline.",
  blocked: "The server isn't accepting messages right now.",
  unresponsive: "Another Replay Desk tab isn't responding. Close it to continue.",
};

/** The dialog's text while messages are sent before a sign-out. */
export const toLeavingText = ({ kind, cause }: Link, queued: number): string => {
  if (kind === 'online') {
    return `Sending ${count(queued, 'message', 'messages')}… You'll be signed out afterwards.`;
  }
  const why = kind === 'connecting' || kind === 'waiting' ? toOutageText(cause) : HELD_UP[kind];
  return `${why} You'll be signed out once your messages are sent.`;
};
