import type { SignInLimiter } from '../limiting/sign-in-limiter.ts';
import type { Log } from '../kernel/log.ts';
import type { Audit } from '../observe/audit.ts';
import type { Origins } from '../http/origins.ts';
import type { CheckCredentials } from './credentials.ts';
import type { Csrf } from './csrf.ts';
import type { DeviceCookie } from './device-cookie.ts';
import type { FindPersonalKeys } from './personal-keys.ts';
import type { SessionService } from './sessions.ts';

/** The dependencies of the session endpoints. */
export interface AuthDeps {
  readonly sessions: SessionService;
  readonly csrf: Csrf;
  readonly origins: Origins;
  readonly check: CheckCredentials;
  readonly limitSignIns: SignInLimiter;
  readonly device: DeviceCookie;
  readonly findPersonalKeys: FindPersonalKeys;
  readonly log: Log;
  readonly audit: Audit;
}
