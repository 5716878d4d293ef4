import { COLUMNS } from './columns.ts';
import { CONNECTION } from './connection.ts';
import { FINDING } from './finding.ts';
import { FIRST_VISIT } from './first-visit.ts';
import { GAPS } from './gaps.ts';
import { MESSAGES } from './messages.ts';
import { OVERLAYS } from './overlays.ts';
import { ROOMS } from './rooms.ts';
import type { Screen } from './screen.ts';
import { HOME, SECTIONS } from './sections.ts';
import { SIGNED_OUT } from './signed-out.ts';
import { STORAGE } from './storage.ts';
import { UNREAD } from './unread.ts';

/** Every screen of the product in every state. */
export const ALL_SCREENS: readonly Screen[] = [
  ...SIGNED_OUT,
  ...HOME,
  ...SECTIONS,
  ...COLUMNS,
  ...ROOMS,
  ...MESSAGES,
  ...UNREAD,
  ...GAPS,
  ...CONNECTION,
  ...OVERLAYS,
  ...FINDING,
  ...FIRST_VISIT,
  ...STORAGE,
];
