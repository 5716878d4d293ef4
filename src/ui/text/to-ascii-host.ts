/** The browser's own parser decides, because it decides where a link leads. */
export const toAsciiHost = (host: string): string | undefined => {
  const address = `https://${host}`;
  return URL.canParse(address) ? new URL(address).hostname : undefined;
};
