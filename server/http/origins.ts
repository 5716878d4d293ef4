import { LOOPBACK_NAMES, toHostname } from '../config/addresses.ts';

/**
 * The addresses of this server. On https, only the public address is the server's own. On plain http,
 * which is for this machine only, all names of the loopback are, because people open any of them.
 */
export const createOrigins = (publicUrl: string, listeningPort: number, listeningHost = '') => {
  const url = new URL(publicUrl);
  const isSecure = url.protocol === 'https:';
  const ports = new Set([url.port, String(listeningPort)]);
  const own = new Set([url.origin]);
  if (!isSecure) {
    for (const name of LOOPBACK_NAMES) {
      for (const port of ports) own.add(new URL(`http://${name}:${port || '80'}`).origin);
    }
  }
  const served = new Set([url.hostname, toHostname(listeningHost), ...LOOPBACK_NAMES]);
  return {
    /** The public one. */
    main: url.origin,
    /** True on https: cookies are `__Host-` and Secure. */
    isSecure,
    isOwn: (origin: string): boolean => own.has(origin),
    /** Whether this server uses a host (`name[:port]`); the port does not matter. */
    isServed: (host: string): boolean => {
      const address = `http://${host}`;
      return URL.canParse(address) && served.has(new URL(address).hostname);
    },
    /** The origin to which a request was addressed. */
    of: (request: Request): string => {
      const { origin } = new URL(request.url);
      return own.has(origin) ? origin : url.origin;
    },
  };
};

export type Origins = ReturnType<typeof createOrigins>;

/**
 * False if the browser states that another site sent the request (Sec-Fetch-Site, Origin).
 * Programs that send neither header are accepted: they have no ambient cookies.
 */
export const isFromOwnPage = (request: Request, origins: Origins): boolean => {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') return false;
  const origin = request.headers.get('origin');
  return origin === null || origins.isOwn(origin);
};
