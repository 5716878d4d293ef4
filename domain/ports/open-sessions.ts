import type { AppError } from '../errors.ts';
import type { Cancellation } from './ports.ts';
import type { Result } from '../result.ts';
import type { OpenSessions } from '../schemas/open-session.ts';

/** The list of the user's sessions on the server, and the end of others than this one. */
export interface OpenSessionsApi {
  list(cancel: Cancellation): Promise<Result<OpenSessions, AppError>>;
  end(handle: string, cancel: Cancellation): Promise<Result<void, AppError>>;
  endOthers(cancel: Cancellation): Promise<Result<void, AppError>>;
}
