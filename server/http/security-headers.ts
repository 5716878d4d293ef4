import { POLICY_REPORTS_PATH } from './policy-reports.ts';

/** Names and values of headers for every response, errors and streams included. */
export type Headers = Readonly<Record<string, string>>;

const toPolicy = (directives: Readonly<Record<string, string>>): string =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ');

/** The name of the endpoint in `reporting-endpoints`. */
const REPORTS = 'desk';

const CONTENT_POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'worker-src': "'self'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
  'object-src': "'none'",
  'report-to': REPORTS,
  'report-uri': POLICY_REPORTS_PATH,
};

/**
 * No text becomes markup or code, except two script addresses: those of the service worker
 * (`worker-registration.ts`) and of the search worker (`search-client.ts`).
 */
const RELEASE_POLICY = {
  ...CONTENT_POLICY,
  'require-trusted-types-for': "'script'",
  'trusted-types': 'replay-desk-worker replay-desk-search',
};

/** Vite's development client needs inline code and styles, markup and its own socket. */
const DEVELOPMENT_POLICY = {
  ...CONTENT_POLICY,
  'script-src': "'self' 'unsafe-inline'",
  'style-src': "'self' 'unsafe-inline'",
  'connect-src': "'self' ws: wss:",
};

const HSTS_SECONDS = 63_072_000;
const UNUSED_FEATURES = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'serial', 'hid'];

interface HeaderOptions {
  readonly isSecure: boolean;
  readonly isDevelopment: boolean;
  /** Origin of a hosted realtime engine, which the page calls itself. */
  readonly engineOrigin: string | undefined;
}

const choosePolicy = ({
  isSecure,
  isDevelopment,
  engineOrigin = '',
}: HeaderOptions): Readonly<Record<string, string>> => {
  const policy = isDevelopment ? DEVELOPMENT_POLICY : RELEASE_POLICY;
  // An engine on this machine may use plain http, which an upgrade would break.
  const upgrade =
    isSecure && !engineOrigin.startsWith('http:') ? { 'upgrade-insecure-requests': '' } : {};
  const connect = `${policy['connect-src']} ${engineOrigin}`.trim();
  return { ...policy, 'connect-src': connect, ...upgrade };
};

/** The headers for an address (https adds HSTS); `isDevelopment` relaxes the content policy. */
export const createSecurityHeaders = (options: HeaderOptions): Headers => ({
  'content-security-policy': toPolicy(choosePolicy(options)),
  'reporting-endpoints': `${REPORTS}="${POLICY_REPORTS_PATH}"`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
  ...(options.isSecure
    ? { 'strict-transport-security': `max-age=${HSTS_SECONDS}; includeSubDomains` }
    : {}),
});
