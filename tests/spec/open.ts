interface OpenStatement {
  readonly says: string;
  readonly decision: string;
}

/** The points that the specification leaves open ("not shown"), and the decisions about them. */
export const OPEN: readonly OpenStatement[] = [
  {
    says: '§1, §2: what Dashboard, Videos, Deliveries, Settings, Spendings, Referral and Registration show.',
    decision: 'A placeholder with its name and a sentence about its purpose.',
  },
  {
    says: '§2, §7: method and path of the chat page’s session lookup.',
    decision: 'The session library’s own GET /api/auth/session.',
  },
  {
    says: '§3: further fields of the session.',
    decision: 'name, email, image and role besides uid, and the expiry.',
  },
  {
    says: '§3: fields of producers; §7: the shape of their response.',
    decision: 'uid and name; an answer of another shape counts as none.',
  },
  { says: '§5: validation of the registration.', decision: 'There is no registration form.' },
  {
    says: '§6: permissions by role.',
    decision: 'Producers and team members have the same permissions; the user menu shows the role.',
  },
  {
    says: '§7: the response of POST /auth.',
    decision: 'A user with a uid, in an envelope or without one, else 502.',
  },
  {
    says: '§7: the base path of the session library.',
    decision: '/api/auth.',
  },
  {
    says: '§7: channel names beyond the first.',
    decision: 'One channel per room by CHANNEL_TEMPLATE, chat.{cid}.{rid} by default.',
  },
  {
    says: '§8: texts for the session library’s error names.',
    decision: 'The generic banner; the sign-in page explains SessionRequired.',
  },
  {
    says: '§9: other limits.',
    decision: 'ARCHITECTURE.md and the limits files of each folder.',
  },
];
