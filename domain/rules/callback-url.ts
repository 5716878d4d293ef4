import { CALLBACK_URL_LENGTH_MAX } from '../limits.ts';
import { ROUTES } from '../routes.ts';

const ORIGIN = /^https?:\/\/[^/?#\\@\s]+$/;

/**
 * Visible ASCII without the backslash, which browsers read as a slash. URL parsers drop or
 * change all other characters (line breaks, tabs, controls).
 */
const PLAIN = /^[!-[\]-~]+$/;

/** `.` and `..`, percent-encoded or not: resolving them could leave two slashes in front. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

const isPlainPath = (path: string): boolean =>
  path.startsWith('/') && !path.includes('//') && !DOT_SEGMENT.test(path);

/**
 * Where to go after sign-in: the path (with query and fragment) of an address of this origin,
 * or `/` for anything else. The result names no host and contains nothing that resolving would
 * remove, so it cannot leave the origin.
 *
 * Accepts `{origin}/path` and `/path`; refuses other schemes and hosts, user info, backslashes,
 * empty and dot segments, controls, and more than 2,048 characters.
 */
export const toCallbackPath = (value: unknown, origin: string): string => {
  if (typeof value !== 'string' || value.length > CALLBACK_URL_LENGTH_MAX) return ROUTES.home;
  if (!PLAIN.test(value)) return ROUTES.home;
  const isAbsolute = ORIGIN.test(origin) && value.startsWith(`${origin}/`);
  const rest = isAbsolute ? value.slice(origin.length) : value;
  const path = /^[^?#]*/.exec(rest)?.[0] ?? '';
  return isPlainPath(path) ? rest : ROUTES.home;
};
