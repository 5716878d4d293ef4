/**
 * Every checkable statement of the specification, paraphrased, by `S<section>.<number>`. Each id is
 * a tag (`{ tags: ['S4.10'] }`) of the tests that show the statement.
 */
export const STATEMENTS = {
  // §1, what the product does and for whom
  'S1.1': 'Staff members (producers and team members) sign in and chat with clients.',
  'S1.2': 'Every client has a chat area of their own.',
  'S1.3': 'The navigation at the left offers Home, Dashboard, Videos, Chat and Deliveries.',
  'S1.4': 'The user menu offers Settings, Spendings, Referral and Logout.',
  'S1.5': 'Chat uses a realtime service: publish, subscribe, history.',
  'S1.6': 'Sign-in uses a session with a credentials provider (email and password).',
  'S1.7': 'The page title is that of a staff dashboard.',
  // §2, screens and routes
  'S2.1': 'Home, dashboard, videos, deliveries, settings, spendings and referral have addresses.',
  'S2.2': '/chat is the entry, /chat/{cid} one client.',
  'S2.3':
    '/chat/{cid}/team, general and producers are the rooms; the room id comes from the route.',
  'S2.4': 'There are /login and /register.',
  'S2.5': 'The chat page requests the session when it loads and uses it and its address.',
  'S2.6': 'The login has Email, Password and Sign In.',
  'S2.7': 'Auth pages offer the other one in their header: Register or Login.',
  'S2.8': 'After success the user goes to the returned url, or / if none.',
  'S2.9': 'The form is prefilled with a sample account in development (and demo) only.',
  'S2.10': 'The navigation marks the active item.',
  'S2.11': 'On a phone the navigation is behind a toggle.',
  'S2.12': 'The navigation is 90 px wide and 200 px on hover.',
  'S2.13': 'The client column shows avatars, 72 px wide, 312 px expanded.',
  'S2.14': 'Its search filters by first and last name, case-insensitively.',
  'S2.15': 'The second column is titled "{first name} Rooms" and lists Team, General, Producers.',
  'S2.16': 'The message pane has the thread and the input.',
  'S2.17': 'Without a session a page redirects to sign-in with SessionRequired and the address.',
  'S2.18': 'A missing provider leads to the auth error path.',
  'S2.19': 'An unknown provider leads to the sign-in path with a callbackUrl.',
  // §3, entities
  'S3.1': 'A team entry has client_id and client {first_name, last_name}.',
  'S3.2': 'A published message has text, clientName and clientAvatar.',
  'S3.3': 'A received one also has a timetoken, shown as a time, and its publisher.',
  'S3.4': 'The session’s user has a uid.',
  'S3.5': 'A sign-in returns error, status, ok and url.',
  'S3.6': 'The CSRF response contains csrfToken.',
  'S3.7': 'The form fields are email and password, query, message.',
  // §4, states and transitions
  'S4.1': 'The session is first loading, then authenticated or unauthenticated.',
  'S4.2': 'It is fetched again when the window becomes visible.',
  'S4.3': 'It is fetched again when another tab signals a change; sign-in and sign-out do.',
  'S4.4': 'It is fetched again on an interval if one is configured.',
  'S4.5': 'The login is idle, loading with a busy button, in error with a banner, or redirects.',
  'S4.6': 'The client list is loading (spinner), failed (red icon with tooltip) or loaded.',
  'S4.7': 'History is loading, failed or loaded.',
  'S4.8': 'If more pages exist, a button fetches them, with a spinner meanwhile.',
  'S4.9': 'The search panel is open or closed; closing clears the filter.',
  'S4.10': 'The thread is at its end on first display and after an own message.',
  'S4.11': 'It keeps its position when older messages load.',
  'S4.12': 'Live messages are appended when they arrive.',
  'S4.13': 'Consecutive messages of one sender have one header.',
  // §5, validation
  'S5.1': 'The login form validates on touch: Required, Enter a valid email.',
  'S5.2': 'The password is required and has at least 5 characters, with that text.',
  'S5.3': 'A message is sent only when it is not empty; then the input is cleared.',
  'S5.4': 'Outgoing messages have a placeholder name and an empty avatar.',
  'S5.5': 'Search compares with the full name in lower case.',
  // §6, roles
  'S6.1': 'Producers and teams come from staff endpoints, which need a session.',
  'S6.2': 'A page may require a session, and decides where an unauthenticated user goes.',
  'S6.3': 'Logout is in the user menu.',
  // §7, the calls it makes
  'S7.1': 'POST /auth on the API base takes email and password.',
  'S7.2': 'GET /staff/producers goes through /api/proxy/; its errors are swallowed.',
  'S7.3': 'GET /staff/teams goes through the same proxy and is cached for 30 minutes.',
  'S7.4': 'GET session reads the current session.',
  'S7.5': 'GET csrf returns csrfToken, GET providers a map with types.',
  'S7.6': 'POST callback/{provider} takes a form of csrfToken, callbackUrl, json=true and fields.',
  'S7.7': 'POST signin/{provider} returns a url.',
  'S7.8': 'POST signout takes csrfToken, callbackUrl, json=true and returns a url.',
  'S7.9': 'POST _log takes level, code, details by beacon.',
  'S7.10': 'Sign-in reads the error from the query of the returned url.',
  'S7.11': 'History is fetched 25 a page from a timetoken, by the user’s uid.',
  // §8, errors
  'S8.1': 'History fails: banner Error loading chatroom!',
  'S8.2': 'Publish fails: error toast, closable, with its text or the provider’s.',
  'S8.3': 'Banner: An error occurred!, or the server’s error when it is a string.',
  'S8.4': 'The banner’s title is Error occurred!',
  'S8.5': 'Client list fails: tooltip Error loading clients.',
  'S8.6': 'Login fails: the generic banner.',
  'S8.7': 'The query of urls contains the session library’s error names, and no other text.',
  'S8.8': 'A failed session fetch is logged as CLIENT_FETCH_ERROR and yields nothing.',
  'S8.9': 'A session failure is logged as CLIENT_SESSION_ERROR.',
  // §9, numbers
  'S9.1': 'A page has 25 messages; more exist only after a full page.',
  'S9.2': 'Teams are fresh for 30 minutes.',
  'S9.3': 'Toasts last 5 s, errors at the top, others at the bottom.',
  'S9.4': 'Widths: clients 72 and 312, navigation 90 and 200.',
  'S9.5': 'A password has at least 5 characters.',
  'S9.6': 'Dates: today with time, yesterday, tomorrow, weekdays within six days, else dd/MM/yyyy.',
  'S9.7': 'The distance from the bottom is scroll height minus offset minus visible height.',
} as const;

/** The id of a statement. */
export type StatementId = keyof typeof STATEMENTS;

/** Whether a tag is the id of a statement. */
export const isStatementId = (tag: string): tag is StatementId => tag in STATEMENTS;

declare module 'vitest' {
  interface TestTags {
    readonly statement: StatementId;
  }
}
