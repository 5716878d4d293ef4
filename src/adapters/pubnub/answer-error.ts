import type { AppError } from '#domain/errors.ts';

/** Words and names by which the SDK sorts errors. */
const toMessage = ({ kind }: AppError): string => (kind === 'unreachable' ? 'network' : kind);
const toName = ({ kind }: AppError): string => (kind === 'malformed' ? 'TypeError' : 'AnswerError');

/**
 * Why an answer of the hosted engine was kept from the SDK, which hands it on in the
 * `errorData` of its own error. Of a stream it tells the category alone: network, timeout,
 * or "bad request" for what is malformed.
 */
export class AnswerError extends Error {
  readonly error: AppError;

  constructor(error: AppError) {
    super(toMessage(error));
    this.name = toName(error);
    this.error = error;
  }
}
