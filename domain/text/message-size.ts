/** UTF-8 bytes of text without lone surrogates. */
const toUtf8Bytes = (text: string): number => {
  let bytes = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x8_00) bytes += 2;
    // Each half of a pair counts two of the pair's four bytes.
    else if (unit >= 0xd8_00 && unit <= 0xdf_ff) bytes += 2;
    else bytes += 3;
  }
  return bytes;
};

/**
 * Size of a message as published: UTF-8 bytes of its JSON, envelope included. Compare with
 * MESSAGE_BYTES_MAX. JSON escapes lone surrogates, so none has to be counted.
 */
export const toMessageBytes = (message: object): number => toUtf8Bytes(JSON.stringify(message));
