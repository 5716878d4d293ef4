import type { Section } from './statement.ts';

/** §4, states and transitions. */
export const BEHAVIOUR: Section = {
  'S4.1': {
    says: 'The session is first loading, then authenticated or unauthenticated.',
    shownBy: [
      'e2e/session/states: the session is loading until the server answered, then there is one or none',
    ],
  },
  'S4.2': {
    says: 'It is fetched again when the window becomes visible.',
    shownBy: [
      'e2e/session/end: a session that ended on the server is noticed when the page comes into view',
      'e2e/session/states: every load and every return to the window requests the session',
    ],
  },
  'S4.3': {
    says: 'It is fetched again when another tab signals a change; sign-in and sign-out do.',
    shownBy: [
      'e2e/session/states: a sign-in in one tab signs in the others',
      'e2e/session/end: all tabs follow a sign-out',
    ],
  },
  'S4.4': {
    says: 'It is fetched again on an interval if one is configured.',
    shownBy: ['e2e/session/states: a configured interval requests the session that often'],
  },
  'S4.5': {
    says: 'The login is idle, loading with a busy button, in error with a banner, or redirects.',
    shownBy: [
      'e2e/session/login-states: the button is idle, shows progress while signing in, and then continues',
      'e2e/session/sign-in: %s shows the banner and keeps the fields',
    ],
  },
  'S4.6': {
    says: 'The client list is loading (spinner), failed (red icon with tooltip) or loaded.',
    shownBy: [
      'e2e/chat/client-list: a spinner shows until the clients have loaded',
      'e2e/chat/client-list: a failure shows a red icon with its tooltip; a retry loads the clients',
    ],
  },
  'S4.7': {
    says: 'History is loading, failed or loaded.',
    shownBy: [
      'e2e/chat/thread-states: a room without cached messages shows that it is loading, then its messages',
      'e2e/chat/refusals: a history that fails shows the banner and recovers',
    ],
  },
  'S4.8': {
    says: 'If more pages exist, a button fetches them, with a spinner meanwhile.',
    shownBy: [
      'e2e/chat/thread-states: the button for older messages shows progress until they have loaded',
      'e2e/chat/history: 140 messages load page by page, each once and in order',
    ],
  },
  'S4.9': {
    says: 'The search panel is open or closed; closing clears the filter.',
    shownBy: [
      'e2e/chat/clients: search filters by first and last name, case-insensitively; closing clears it',
      'e2e/shell/roles: clients and rooms',
    ],
  },
  'S4.10': {
    says: 'The thread is at its end on first display and after an own message.',
    shownBy: [
      'e2e/chat/thread-end: every room opens at its end, and stays there while fonts arrive: $name',
      'e2e/chat/history: an own message scrolls the thread to its end',
    ],
  },
  'S4.11': {
    says: 'It keeps its position when older messages load.',
    shownBy: ['e2e/chat/history: the scroll position stays while older messages load above'],
  },
  'S4.12': {
    says: 'Live messages are appended when they arrive.',
    shownBy: [
      'e2e/chat/thread-states: new messages are appended below, and the thread follows while it is at its end',
      'e2e/chat/thread-states: a reader further up stays there, sees that messages arrived, and can jump to them',
    ],
  },
  'S4.13': {
    says: 'Consecutive messages of one sender have one header.',
    shownBy: ['e2e/chat/thread-states: consecutive messages of one sender share one header'],
  },
};
