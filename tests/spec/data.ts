import type { Section } from './statement.ts';

/** §3, entities; §7, the calls it makes. */
export const DATA: Section = {
  'S3.1': {
    says: 'A team entry has client_id and client {first_name, last_name}.',
    shownBy: ['server/proxy/proxy: teams are the demo clients'],
  },
  'S3.2': {
    says: 'A published message has text, clientName and clientAvatar.',
    shownBy: [
      'e2e/chat/thread-states: an own message is sent with the placeholder name, no avatar and its id',
    ],
  },
  'S3.3': {
    says: 'A received one also has a timetoken, shown as a time, and its publisher.',
    shownBy: [
      'e2e/chat/date-labels: times are local times of the device in %s',
      'e2e/chat/conversation: own messages are marked as own and become sent; others are not',
    ],
  },
  'S3.4': {
    says: 'The session’s user has a uid.',
    shownBy: ['e2e/session/states: every load and every return to the window requests the session'],
  },
  'S3.5': {
    says: 'A sign-in returns error, status, ok and url.',
    shownBy: [
      'server/auth/session: wrong passwords and unknown addresses are indistinguishable',
      'server/auth/session: the correct password leads to the callback url and a session',
      'e2e/session/login-states: the error in the returned url decides',
    ],
  },
  'S3.6': {
    says: 'The CSRF response contains csrfToken.',
    shownBy: ['server/auth/csrf: a token stays valid for its browser and session'],
  },
  'S3.7': {
    says: 'The form fields are email and password, query, message.',
    shownBy: [
      'e2e/session/login-states: the posted form contains the token, the return address and both fields',
      'e2e/chat/clients: search filters by first and last name, case-insensitively; closing clears it',
      'e2e/chat/conversation: an empty message is not sent; Shift+Enter starts a new line',
    ],
  },
  'S7.1': {
    says: 'POST /auth on the API base takes email and password.',
    shownBy: ['server/proxy/proxy-upstream: sends email and password as JSON and reads the user'],
  },
  'S7.2': {
    says: 'GET /staff/producers goes through /api/proxy/; its errors are swallowed.',
    shownBy: [
      'server/proxy/proxy: producers have a uid and a name',
      'e2e/chat/client-list: a failed request for producers shows nothing',
    ],
  },
  'S7.3': {
    says: 'GET /staff/teams goes through the same proxy and is cached for 30 minutes.',
    shownBy: [
      'server/proxy/proxy: teams are the demo clients',
      'e2e/chat/client-list: teams are requested once in 30 minutes, and again afterwards',
    ],
  },
  'S7.4': {
    says: 'GET session reads the current session.',
    shownBy: ['server/auth/session: without a session the answer is an empty object'],
  },
  'S7.5': {
    says: 'GET csrf returns csrfToken, GET providers a map with types.',
    shownBy: [
      'server/auth/csrf: a token stays valid for its browser and session',
      'server/auth/providers: providers are a map with a type',
    ],
  },
  'S7.6': {
    says: 'POST callback/{provider} takes a form of csrfToken, callbackUrl, json=true and fields.',
    shownBy: [
      'e2e/session/login-states: the posted form contains the token, the return address and both fields',
    ],
  },
  'S7.7': {
    says: 'POST signin/{provider} returns a url.',
    shownBy: ['server/auth/providers: signin/credentials answers the sign-in path'],
  },
  'S7.8': {
    says: 'POST signout takes csrfToken, callbackUrl, json=true and returns a url.',
    shownBy: [
      'server/auth/session: also succeeds without a session',
      'server/auth/session: ends the session for every copy of its cookie, also after a restart',
    ],
  },
  'S7.9': {
    says: 'POST _log takes level, code, details by beacon.',
    shownBy: [
      'e2e/session/states: a session that cannot be fetched is logged by beacon and yields nothing',
      'server/auth/providers: accepts a beacon',
    ],
  },
  'S7.10': {
    says: 'Sign-in reads the error from the query of the returned url.',
    shownBy: ['e2e/session/login-states: the error in the returned url decides'],
  },
  'S7.11': {
    says: 'History is fetched 25 a page from a timetoken, by the user’s uid.',
    shownBy: [
      'e2e/chat/thread-states: history is read 25 at a time from a timetoken, subscribed to by uid',
    ],
  },
};
