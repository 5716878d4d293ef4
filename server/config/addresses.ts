/** The loopback's names, as written in an address. */
export const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A host as written in an address: in lower case, IPv6 in brackets and in its short form. */
export const toHostname = (host: string): string => {
  const address = `http://${host.includes(':') ? `[${host}]` : host}`;
  return URL.canParse(address) ? new URL(address).hostname : host;
};

/** An http or https address without user, query or fragment; undefined otherwise. */
export const parseAddress = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined;
  // `search` and `hash` are also empty after a bare "?" or "#".
  const isPlain = url.username === '' && url.password === '' && !/[?#]/.test(text);
  return isPlain ? url : undefined;
};

/** Plain http is for this machine only: a session cookie must not cross a network unencrypted. */
export const isPublicAddress = (text: string): boolean => {
  const url = parseAddress(text);
  if (url === undefined || url.pathname !== '/') return false;
  return url.protocol === 'https:' || LOOPBACK_NAMES.has(url.hostname);
};

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * Whether a text is the address of a shared store: a user, a password and a database number are
 * allowed; client options are not.
 */
export const isStoreAddress = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'redis:' && url?.protocol !== 'rediss:') return false;
  // The client decodes both, and throws at a bare percent sign.
  if (!isDecodable(url.username) || !isDecodable(url.password)) return false;
  return (
    url.hostname !== '' && /^\/?\d{0,4}$/.test(url.pathname) && `${url.search}${url.hash}` === ''
  );
};
