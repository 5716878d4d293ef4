import type { Section } from './statement.ts';

/** §4, states and transitions. */
export const BEHAVIOUR: Section = {
  'S4.1': {
    says: 'The session is loading at first, then authenticated or unauthenticated.',
    shownBy: [
      'e2e/session/states: the session is loading until the server answered, then there is one or none',
    ],
  },
  'S4.2': {
    says: 'It is fetched again when the window becomes visible.',
    shownBy: [
      'e2e/session/end: a session that ended on the server is noticed when the page comes into view',
      'e2e/session/states: every load and every return to the window asks for the session',
    ],
  },
  'S4.3': {
    says: 'It is fetched again when another tab signals a change; sign-in and sign-out do.',
    shownBy: [
      'e2e/session/states: a sign-in in one tab opens the desk in the others',
      'e2e/session/end: all tabs follow a sign-out',
    ],
  },
  'S4.4': {
    says: 'It is fetched again on an interval, where one is configured.',
    shownBy: [
      'e2e/session/states: where an interval is configured the session is asked for that often',
    ],
  },
  'S4.5': {
    says: 'The login is idle, loading with a busy button, in error with a banner, or leads on.',
    shownBy: [
      'e2e/session/login-states: the button is idle, works while signing in, and leads on',
      'e2e/session/sign-in: %s shows the banner and keeps what was typed',
    ],
  },
  'S4.6': {
    says: 'The client list is loading (spinner), failed (red icon with tooltip) or there.',
    shownBy: [
      'e2e/chat/client-list: a spinner until the clients are there',
      'e2e/chat/client-list: after a failure a red icon with its tooltip; another try brings the clients',
    ],
  },
  'S4.7': {
    says: 'History is loading, failed or there.',
    shownBy: [
      'e2e/chat/thread-states: a room nothing is known of shows that it is loading, then its messages',
      'e2e/chat/refusals: a history that fails shows the banner and recovers',
    ],
  },
  'S4.8': {
    says: 'Where more pages exist a button fetches them, with a spinner meanwhile.',
    shownBy: [
      'e2e/chat/thread-states: the button for older messages works visibly until they are there',
      'e2e/chat/history: 140 messages are read back page by page, each once and in order',
    ],
  },
  'S4.9': {
    says: 'The search panel is open or closed; closing clears the filter.',
    shownBy: [
      'e2e/chat/clients: search filters by first and last name in any case; closing clears it',
      'e2e/shell/roles: clients and rooms',
    ],
  },
  'S4.10': {
    says: 'The thread is at its end on first display and after an own message.',
    shownBy: [
      'e2e/chat/thread-end: every room opens at its end, and stays there while fonts arrive: $name',
      'e2e/chat/history: an own message brings the thread back to its end',
    ],
  },
  'S4.11': {
    says: 'It keeps its place when older messages come in.',
    shownBy: ['e2e/chat/history: the place is kept while older messages come in above'],
  },
  'S4.12': {
    says: 'Live messages are appended when they come.',
    shownBy: [
      'e2e/chat/thread-states: what comes in is appended below, and the thread follows while it is at its end',
      'e2e/chat/thread-states: whoever reads further up stays there, sees that something came in, and gets to it',
    ],
  },
  'S4.13': {
    says: 'Messages of one sender in succession have one header.',
    shownBy: [
      'e2e/chat/thread-states: messages of one sender in succession stand under one header',
    ],
  },
};
