import { CALLBACK_URL_LENGTH_MAX } from '#domain/limits.ts';

import type { Origins } from '../origins.ts';

/** Characters that URL parsers drop or read as something else: controls, blanks, backslashes. */
const TREACHEROUS = /[\p{Cc}\s\\]/u;

const parse = (value: string, base: string, origins: Origins): string | undefined => {
  if (value.length > CALLBACK_URL_LENGTH_MAX || TREACHEROUS.test(value)) return undefined;
  const isPath = value.startsWith('/') && !value.startsWith('//');
  const isAddress = /^https?:\/\//i.test(value);
  if (!isPath && !isAddress) return undefined;
  if (!URL.canParse(value, base)) return undefined;
  const url = new URL(value, base);
  // A path may turn into `//host` only after its dots are resolved: look at the outcome.
  const isOwn = origins.isOwn(url.origin) && url.username === '' && url.password === '';
  if (!isOwn || url.pathname.startsWith('//')) return undefined;
  return `${base}${url.pathname}${url.search}${url.hash}`;
};

/**
 * Where to go after a sign-in or sign-out: an absolute url of this origin, `/` for whatever
 * is not one. `base` is the origin the request was addressed to.
 */
export const toCallbackUrl = (
  value: string | null | undefined,
  base: string,
  origins: Origins,
): string => parse(value ?? '/', base, origins) ?? `${base}/`;
