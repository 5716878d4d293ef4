import type { AppError } from '#domain/errors.ts';

import classes from './composer.module.css';

const toKilobytes = (bytes: number): string => `${Math.ceil(bytes / 102.4) / 10} KB`;

/** Why a text was not accepted; it is still in the field. */
const toRefusalText = (error: AppError): string => {
  if (error.kind === 'too-large') {
    return `This message is too long (${toKilobytes(error.bytes)}; the limit is ${toKilobytes(error.limit)}). Shorten it or send it in parts.`;
  }
  if (error.kind === 'quota') {
    return "This device's storage is full. Free up space, then send again; your text stays here.";
  }
  return "This message couldn't be saved on this device. Try again; your text stays here.";
};

/** Shown above a text that was not accepted. */
const Refusal = ({ error }: { readonly error: AppError }) => (
  <p role="alert" className={classes['refusal']}>
    {toRefusalText(error)}
  </p>
);

export default Refusal;
