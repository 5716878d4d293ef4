import { type AppError, toBannerText } from '#domain/errors.ts';
import type { Result } from '#domain/result.ts';

import { showToast } from './toast-store.ts';

/** Shows the failure of an action that the user began, if it failed. */
export const showFailure = (result: Result<unknown, AppError>): void => {
  if (!result.ok) showToast('error', toBannerText(result.error));
};
