import type { Section } from './statement.ts';

/** §1, what the product does and for whom; §2, screens and routes. */
export const PRODUCT: Section = {
  'S1.1': {
    says: 'Staff members (producers and team members) sign in and chat with clients.',
    shownBy: [
      'e2e/chat/conversation: messages appear at once for the others',
      'e2e/chat/conversation: a client in a terminal chats with both',
    ],
  },
  'S1.2': {
    says: 'Every client has a chat area of their own.',
    shownBy: [
      'e2e/chat/conversation: messages stay in their room',
      'e2e/chat/clients: a client opens three rooms, a room opens its thread',
    ],
  },
  'S1.3': {
    says: 'The navigation at the left offers Home, Dashboard, Videos, Chat and Deliveries.',
    shownBy: [
      'e2e/shell/navigation: %s is one click away and marked as current',
      'e2e/shell/roles: the shell',
    ],
  },
  'S1.4': {
    says: 'The user menu offers Settings, Spendings, Referral and Logout.',
    shownBy: [
      'e2e/shell/navigation: the user menu opens %s',
      'e2e/session/end: signing out opens the form, and going back does not show the conversation',
      'e2e/shell/roles: the shell',
    ],
  },
  'S1.5': {
    says: 'Chat uses a realtime service: publish, subscribe, history.',
    shownBy: [
      'e2e/chat/conversation: a burst from both sides arrives once, in each author’s order',
      'e2e/chat/thread-states: history is read 25 at a time from a timetoken, subscribed to by uid',
    ],
  },
  'S1.6': {
    says: 'Sign-in uses a session with a credentials provider (email and password).',
    shownBy: [
      'e2e/session/login-states: the posted form contains the token, the return address and both fields',
      'server/auth/session: the correct password leads to the callback url and a session',
    ],
  },
  'S1.7': {
    says: 'The page title is that of a staff dashboard.',
    shownBy: [
      'e2e/shell/navigation: every page is titled as a staff dashboard, before its code runs, too',
    ],
  },
  'S2.1': {
    says: 'Home, dashboard, videos, deliveries, settings, spendings and referral have addresses.',
    shownBy: ['e2e/shell/routes: %s opens at its own address as %s'],
  },
  'S2.2': {
    says: '/chat is the entry, /chat/{cid} one client.',
    shownBy: ['e2e/shell/routes: /chat shows the clients, /chat/{cid} the rooms of one'],
  },
  'S2.3': {
    says: '/chat/{cid}/team, general and producers are the rooms; the room id comes from the route.',
    shownBy: [
      'e2e/shell/routes: /chat/{cid}/%s is the %s room, taken from the route alone',
      'e2e/chat/clients: %s does not exist, and the page says so',
    ],
  },
  'S2.4': {
    says: 'There are /login and /register.',
    shownBy: [
      'e2e/session/sign-in: the header offers the other form',
      'e2e/shell/routes: /register explains who creates accounts, and offers the login',
    ],
  },
  'S2.5': {
    says: 'The chat page requests the session when it loads and uses it and its address.',
    shownBy: [
      'e2e/session/states: every load and every return to the window requests the session',
      'e2e/shell/routes: /chat/{cid}/%s is the %s room, taken from the route alone',
    ],
  },
  'S2.6': {
    says: 'The login has Email, Password and Sign In.',
    shownBy: [
      'e2e/session/login-states: the button is idle, shows progress while signing in, and then continues',
    ],
  },
  'S2.7': {
    says: 'Auth pages offer the other one in their header: Register or Login.',
    shownBy: ['e2e/session/sign-in: the header offers the other form'],
  },
  'S2.8': {
    says: 'After success the user goes to the returned url, or / if none.',
    shownBy: [
      'e2e/session/login-states: the return address is the returned url, of this origin only',
      'e2e/session/sign-in: without a return address, sign-in continues to Home',
      'e2e/session/sign-in: a return address of another origin is not followed',
    ],
  },
  'S2.9': {
    says: 'The form is prefilled with a sample account in development (and demo) only.',
    shownBy: [
      'e2e/session/sign-in: the demo form is prefilled with the first account',
      'e2e/session/login-states: outside demo and development the form is empty',
    ],
  },
  'S2.10': {
    says: 'The navigation marks the active item.',
    shownBy: ['e2e/shell/navigation: %s is one click away and marked as current'],
  },
  'S2.11': {
    says: 'On a phone the navigation is behind a toggle.',
    shownBy: [
      'e2e/shell/navigation: on a phone the navigation is behind a button, and chat is one pane at a time',
      'e2e/shell/roles: the shell',
    ],
  },
  'S2.12': {
    says: 'The navigation is 90 px wide and 200 px on hover.',
    shownBy: [
      'e2e/shell/navigation: the navigation is 90 px wide, and 200 px on hover, over the page',
    ],
  },
  'S2.13': {
    says: 'The client column shows avatars, 72 px wide, 312 px expanded.',
    shownBy: [
      'e2e/chat/clients: the client column is 72 wide, and 312 when expanded',
      'e2e/chat/client-list: every client has an avatar, and its full name as accessible name',
    ],
  },
  'S2.14': {
    says: 'Its search filters by first and last name, case-insensitively.',
    shownBy: [
      'e2e/chat/clients: search filters by first and last name, case-insensitively; closing clears it',
      'e2e/shell/newcomer: with a mouse',
    ],
  },
  'S2.15': {
    says: 'The second column is titled "{first name} Rooms" and lists Team, General, Producers.',
    shownBy: ['e2e/chat/clients: a client opens three rooms, a room opens its thread'],
  },
  'S2.16': {
    says: 'The message pane has the thread and the input.',
    shownBy: [
      'e2e/chat/conversation: own messages are marked as own and become sent; others are not',
      'e2e/shell/roles: thread and composer',
    ],
  },
  'S2.17': {
    says: 'Without a session a page redirects to sign-in with SessionRequired and the address.',
    shownBy: [
      'e2e/session/sign-in: a page that requires a session redirects to the form and back',
      'server/auth/providers: the paths under the auth base send a browser to the sign-in page',
    ],
  },
  'S2.18': {
    says: 'A missing provider leads to the auth error path.',
    shownBy: ['server/auth/providers: %s: a missing provider leads to the error path'],
  },
  'S2.19': {
    says: 'An unknown provider leads to the sign-in path with a callbackUrl.',
    shownBy: ['server/auth/providers: %s: an unknown provider leads to the sign-in path'],
  },
};
