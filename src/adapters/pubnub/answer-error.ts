import type { AppError } from '#domain/errors.ts';

/** Messages and names by which the SDK categorizes errors. */
const toMessage = ({ kind }: AppError): string => (kind === 'unreachable' ? 'network' : kind);
const toName = ({ kind }: AppError): string => (kind === 'malformed' ? 'TypeError' : 'AnswerError');

/**
 * Why a response of the hosted engine was withheld from the SDK, which passes it on in the
 * `errorData` of its own error. For a stream the SDK reports only a category: network, timeout, or
 * "bad request" for malformed responses.
 */
export class AnswerError extends Error {
  readonly error: AppError;

  constructor(error: AppError) {
    super(toMessage(error));
    this.name = toName(error);
    this.error = error;
  }
}
