/** Names and values to set on every answer, errors and streams included. */
export type Headers = Readonly<Record<string, string>>;

const toPolicy = (directives: Readonly<Record<string, string>>): string =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

const CONTENT_POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'font-src': "'self'",
  'media-src': "'self' blob:",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'worker-src': "'self'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
  'object-src': "'none'",
};

/** Vite's development client brings inline code and styles and its own socket. */
const DEVELOPMENT_POLICY = {
  ...CONTENT_POLICY,
  'script-src': "'self' 'unsafe-inline'",
  'style-src': "'self' 'unsafe-inline'",
  'connect-src': "'self' ws: wss:",
};

const HSTS_SECONDS = 63_072_000;
const UNUSED_FEATURES = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'serial', 'hid'];

const choosePolicy = (options: {
  readonly isDevelopment: boolean;
  readonly engineOrigin: string | undefined;
}): Readonly<Record<string, string>> => {
  const policy = options.isDevelopment ? DEVELOPMENT_POLICY : CONTENT_POLICY;
  return options.engineOrigin === undefined
    ? policy
    : { ...policy, 'connect-src': `${policy['connect-src']} ${options.engineOrigin}` };
};

/** The headers of an address (https adds HSTS); `isDevelopment` relaxes the content policy alone. */
export const createSecurityHeaders = (options: {
  readonly isSecure: boolean;
  readonly isDevelopment: boolean;
  /** Origin of a hosted realtime engine, which the page speaks to itself. */
  readonly engineOrigin: string | undefined;
}): Headers => ({
  'content-security-policy': toPolicy(choosePolicy(options)),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
  ...(options.isSecure
    ? { 'strict-transport-security': `max-age=${HSTS_SECONDS}; includeSubDomains` }
    : {}),
});
