import type { Section } from './statement.ts';

/** §5, validation; §6, roles; §8, errors; §9, numbers. */
export const RULES: Section = {
  'S5.1': {
    says: 'The login form validates on touch: Required, Enter a valid email.',
    shownBy: ['e2e/session/sign-in: fields are validated once touched, with the texts of the spec'],
  },
  'S5.2': {
    says: 'The password is required and has at least 5 characters, with that text.',
    shownBy: ['e2e/session/sign-in: fields are validated once touched, with the texts of the spec'],
  },
  'S5.3': {
    says: 'A message is sent only when it is not empty; then the input is cleared.',
    shownBy: [
      'e2e/chat/conversation: an empty message is not sent; Shift+Enter starts a new line',
      'e2e/chat/composer: Enter that ends an IME composition sends nothing; the next one sends',
    ],
  },
  'S5.4': {
    says: 'Outgoing messages have a placeholder name and an empty avatar.',
    shownBy: [
      'e2e/chat/thread-states: an own message is sent with the placeholder name, no avatar and its id',
    ],
  },
  'S5.5': {
    says: 'Search compares with the full name in lower case.',
    shownBy: [
      'e2e/chat/clients: search filters by first and last name, case-insensitively; closing clears it',
    ],
  },
  'S6.1': {
    says: 'Producers and teams come from staff endpoints, which need a session.',
    shownBy: ['server/proxy/proxy: %s needs a session'],
  },
  'S6.2': {
    says: 'A page may require a session, and decides where an unauthenticated user goes.',
    shownBy: ['e2e/session/sign-in: a page that requires a session redirects to the form and back'],
  },
  'S6.3': {
    says: 'Logout is in the user menu.',
    shownBy: [
      'e2e/session/end: signing out opens the form, and going back does not show the conversation',
    ],
  },
  'S8.1': {
    says: 'History fails: banner Error loading chatroom!',
    shownBy: ['e2e/chat/refusals: a history that fails shows the banner and recovers'],
  },
  'S8.2': {
    says: 'Publish fails: error toast, closable, with its text or the provider’s.',
    shownBy: [
      'e2e/chat/refusals: a refused message fails with the server’s text and does not block others',
      'e2e/chat/refusals: the provider’s own message is shown, and a failed message can be deleted',
      'e2e/shell/toasts: an error toast appears at the top, can be closed, and disappears after 5 s',
    ],
  },
  'S8.3': {
    says: 'Banner: An error occurred!, or the server’s error when it is a string.',
    shownBy: ['e2e/session/login-states: a server that fails: the banner shows %s'],
  },
  'S8.4': {
    says: 'The banner’s title is Error occurred!',
    shownBy: ['e2e/session/login-states: a server that fails: the banner shows %s'],
  },
  'S8.5': {
    says: 'Client list fails: tooltip Error loading clients.',
    shownBy: [
      'e2e/chat/client-list: a failure shows a red icon with its tooltip; a retry loads the clients',
    ],
  },
  'S8.6': {
    says: 'Login fails: the generic banner.',
    shownBy: ['e2e/session/sign-in: %s shows the banner and keeps the fields'],
  },
  'S8.7': {
    says: 'The query of urls contains the session library’s error names, and no other text.',
    shownBy: [
      'e2e/session/login-states: the error in the returned url decides',
      'server/auth/providers: the paths under the auth base send a browser to the sign-in page',
    ],
  },
  'S8.8': {
    says: 'A failed session fetch is logged as CLIENT_FETCH_ERROR and yields nothing.',
    shownBy: [
      'e2e/session/states: a session that cannot be fetched is logged by beacon and yields nothing',
    ],
  },
  'S8.9': {
    says: 'A session failure is logged as CLIENT_SESSION_ERROR.',
    shownBy: [
      'e2e/session/states: a session that the device cannot store is logged, and still used',
    ],
  },
  'S9.1': {
    says: 'A page has 25 messages; more exist only after a full page.',
    shownBy: [
      'e2e/chat/history: a room of 26 messages has one more page, then none',
      'e2e/chat/history: 140 messages load page by page, each once and in order',
    ],
  },
  'S9.2': {
    says: 'Teams are fresh for 30 minutes.',
    shownBy: ['e2e/chat/client-list: teams are requested once in 30 minutes, and again afterwards'],
  },
  'S9.3': {
    says: 'Toasts last 5 s, errors at the top, others at the bottom.',
    shownBy: [
      'e2e/shell/toasts: an error toast appears at the top, can be closed, and disappears after 5 s',
      'e2e/shell/toasts: any other toast appears at the bottom for 5 s',
    ],
  },
  'S9.4': {
    says: 'Widths: clients 72 and 312, navigation 90 and 200.',
    shownBy: [
      'e2e/chat/clients: the client column is 72 wide, and 312 when expanded',
      'e2e/shell/navigation: the navigation is 90 px wide, and 200 px on hover, over the page',
    ],
  },
  'S9.5': {
    says: 'A password has at least 5 characters.',
    shownBy: ['e2e/session/sign-in: fields are validated once touched, with the texts of the spec'],
  },
  'S9.6': {
    says: 'Dates: today with time, yesterday, tomorrow, weekdays within six days, else dd/MM/yyyy.',
    shownBy: [
      'e2e/chat/date-labels: labels follow the calendar while the page is open: today, yesterday, weekday, date',
      'unit/domain/date-label: names the weekday within six days',
    ],
  },
  'S9.7': {
    says: 'The distance from the bottom is scroll height minus offset minus visible height.',
    shownBy: [
      'e2e/chat/thread-states: a reader further up stays there, sees that messages arrived, and can jump to them',
      'unit/src/follow-end: the distance to the end is the height below the visible part',
    ],
  },
};
