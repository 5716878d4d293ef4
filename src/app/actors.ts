import type { AppError } from '#domain/errors.ts';
import type { Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { PublicConfig } from '#domain/schemas/config.ts';
import type { LoginForm } from '#domain/schemas/forms.ts';
import type { User } from '#domain/schemas/session.ts';
import type { Timetoken } from '#domain/timetoken.ts';

/** The one door from the screens to what is going on. */

export interface SessionView {
  readonly status: 'loading' | 'authenticated' | 'unauthenticated';
  readonly user: User | undefined;
  /** False while the server could not be asked and the stored session keeps the app open. */
  readonly verified: boolean;
}

export interface LoginView {
  readonly state: 'idle' | 'loading' | 'error' | 'done';
  readonly error: AppError | undefined;
  /** Where to go after success, of this origin. */
  readonly url: string | undefined;
  submit(form: LoginForm, callbackUrl: string): void;
}

export interface TeamsView {
  readonly state: 'loading' | 'error' | 'success';
  readonly refetching: boolean;
  retry(): void;
}

export interface HistoryView {
  readonly state: 'loading' | 'error' | 'success';
  readonly fetchingMore: boolean;
  readonly hasMore: boolean;
  /** The oldest position shown. */
  readonly from: Timetoken | undefined;
  fetchMore(): void;
  retry(): void;
}

export interface ConnectionView {
  readonly kind: 'online' | 'offline' | 'connecting' | 'waiting';
  /** ms since the epoch of the next try, while waiting */
  readonly retryAt: number | undefined;
  tryNow(): void;
}

export interface DeskCommands {
  /** Accepts a message: resolves after the commit, with its id. */
  send(room: RoomKey, text: string): Promise<Result<string, AppError>>;
  retry(id: string): Promise<Result<void, AppError>>;
  discard(id: string): Promise<Result<void, AppError>>;
  signOut(): void;
}

export interface UpdateView {
  readonly waiting: boolean;
  apply(): void;
}

const missing = (): never => {
  throw new Error('not wired');
};

export const useSession = (): SessionView => missing();
export const useLogin = (): LoginView => missing();
export const useTeamsStatus = (): TeamsView => missing();
export const useHistory = (_room: RoomKey): HistoryView => missing();
export const useConnection = (): ConnectionView => missing();
/** Ids of messages this tab is sending right now. */
export const useSending = (): ReadonlySet<string> => missing();
export const useDesk = (): DeskCommands => missing();
export const usePublicConfig = (): PublicConfig | undefined => missing();
export const useUpdate = (): UpdateView => missing();
