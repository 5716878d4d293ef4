import type { ConnectionView } from '#src/actors/desk.ts';

/** The text of the connection line. */
export type ConnectionLine =
  | { readonly state: 'quiet' }
  | { readonly state: 'offline'; readonly label: 'Offline'; readonly text: string }
  | {
      readonly state: 'reconnecting';
      readonly label: 'Reconnecting';
      /** Whole sentences around the remaining seconds, which change without being announced. */
      readonly text: string;
      readonly seconds: number | undefined;
    }
  /** This tab does not try: the user has to close the other tab. */
  | { readonly state: 'held'; readonly label: 'Reconnecting'; readonly text: string }
  | { readonly state: 'back'; readonly label: 'Online'; readonly text: string };

const OFFLINE: ConnectionLine = {
  state: 'offline',
  label: 'Offline',
  text: 'Showing saved messages. What you write is sent when you reconnect.',
};

const HELD: ConnectionLine = {
  state: 'held',
  label: 'Reconnecting',
  text: "Another Replay Desk tab isn't responding. Close it to continue.",
};

/** Why there is no connection although the browser is online. */
export const toOutageText = (cause: ConnectionView['cause']): string =>
  cause === 'upstream'
    ? 'A service that Replay Desk depends on is unavailable.'
    : "Can't reach the server.";

const toSendingText = (queued: number): string =>
  `Sending ${queued} ${queued === 1 ? 'message' : 'messages'}…`;

/**
 * Texts of the connection line from the loss of the connection until a moment after its return.
 * `queued` counts the user's unsent messages; `now` is ms since the epoch.
 */
export const toConnectionLine = (
  link: Pick<ConnectionView, 'kind' | 'retryAt' | 'cause'>,
  { queued, now }: { readonly queued: number; readonly now: number },
): ConnectionLine => {
  switch (link.kind) {
    case 'offline':
      return OFFLINE;
    case 'blocked':
      return {
        state: 'reconnecting',
        label: 'Reconnecting',
        text: `${queued === 1 ? "Your message can't" : "Your messages can't"} be sent right now.`,
        seconds: undefined,
      };
    case 'unresponsive':
      return HELD;
    case 'connecting':
    case 'waiting':
      return {
        state: 'reconnecting',
        label: 'Reconnecting',
        text: toOutageText(link.cause),
        seconds:
          link.kind === 'waiting' && link.retryAt !== undefined
            ? Math.max(1, Math.ceil((link.retryAt - now) / 1000))
            : undefined,
      };
    case 'online':
      return {
        state: 'back',
        label: 'Online',
        text: queued > 0 ? toSendingText(queued) : '',
      };
    default:
      return link.kind satisfies never;
  }
};
