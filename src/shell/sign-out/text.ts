import type { ConnectionView } from '#src/actors/actors.ts';

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

/** What a sign-out would leave behind now. */
export interface Unsent {
  readonly queued: number;
  /** Refused permanently; their author has yet to decide. */
  readonly failed: number;
  readonly drafts: boolean;
}

/** The sign-out dialog's text about unsent messages, in whole sentences. */
export const toUnsentText = ({ queued, failed, drafts }: Unsent): string =>
  [
    queued > 0 && `${count(queued, 'message is', 'messages are')} still waiting to be sent.`,
    failed > 0 && `${count(failed, 'message', 'messages')} could not be sent.`,
    drafts && 'Text you typed but have not sent will be lost.',
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');

const HELD_UP: Readonly<Record<Exclude<ConnectionView['kind'], 'online'>, string>> = {
  offline: "You're offline.",
  blocked: "The server isn't accepting messages right now.",
  unresponsive: "Another Replay Desk tab isn't responding. Close it to continue.",
  connecting: "Can't reach the server.",
  waiting: "Can't reach the server.",
};

/** The dialog's text while messages are sent before a sign-out. */
export const toLeavingText = (link: ConnectionView['kind'], queued: number): string =>
  link === 'online'
    ? `Sending ${count(queued, 'message', 'messages')}… You'll be signed out afterwards.`
    : `${HELD_UP[link]} You'll be signed out once your messages are sent.`;
