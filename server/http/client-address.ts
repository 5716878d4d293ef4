import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';

const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;
const NETWORK_SUFFIX = '::/64';
const SITE_GROUPS = 3;
const MAPPED = /^::ffff:(?<ipv4>\d+\.\d+\.\d+\.\d+)$/i;

/** The /64 of an IPv6 address: one household or host owns all of it. */
const toNetwork = (address: string): string => {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Math.max(0, IPV6_GROUPS - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right];
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16) || 0);
  return `${network.map((group) => group.toString(16)).join(':')}${NETWORK_SUFFIX}`;
};

/** The key for limits: an IPv4 address, or the /64 of an IPv6 one. */
export const toAddressKey = (address: string): string => {
  const ipv4 = MAPPED.exec(address)?.groups?.['ipv4'] ?? address;
  if (isIPv4(ipv4)) return ipv4;
  return isIPv6(address) ? toNetwork(address) : 'unknown';
};

/** The /48 around the key of an IPv6 address: one customer may own all of its 65,536 networks. */
export const toSiteKey = (key: string): string | undefined =>
  key.endsWith(NETWORK_SUFFIX)
    ? `${key.split(':').slice(0, SITE_GROUPS).join(':')}::/48`
    : undefined;

/** `192.0.2.1:4711`, `[2001:db8::1]:443` or `[2001:db8::1]`: some proxies append the port. */
const WITH_PORT = /^(?:\[(?<ipv6>[^\]]*)\]|(?<ipv4>[\d.]+))(?::\d{1,5})?$/;

/** An address without its port and brackets; an IPv6 address without brackets has no port. */
const dropPort = (entry: string): string => {
  const groups = WITH_PORT.exec(entry)?.groups;
  return groups?.['ipv6'] ?? groups?.['ipv4'] ?? entry;
};

/**
 * The sender's key. On https a proxy terminates TLS, so the sender is the last entry that it
 * appended to X-Forwarded-For; earlier entries are the sender's own claims.
 */
export const findClientAddress = (incoming: IncomingMessage, isBehindProxy: boolean): string => {
  const forwarded = incoming.headers['x-forwarded-for'];
  const last = dropPort([forwarded ?? ''].flat().join(',').split(',').at(-1)?.trim() ?? '');
  const isUsable = isBehindProxy && (isIPv4(last) || isIPv6(last));
  return toAddressKey(isUsable ? last : (incoming.socket.remoteAddress ?? ''));
};
