import { type Config, parseConfig } from '#server/config/config.ts';

export const mustParse = (environment: Readonly<Record<string, string>>): Config => {
  const config = parseConfig(environment);
  if (!config.ok) throw new Error(config.error.join('\n'));
  return config.value;
};

export const problemsOf = (
  environment: Readonly<Record<string, string>>,
  fileNames: readonly string[] = [],
): string => {
  const config = parseConfig(environment, fileNames);
  return config.ok ? '' : config.error.join('\n');
};

export const PUBLIC_KEYS = { PUBNUB_SUBSCRIBE_KEY: 'sub-c-1', PUBNUB_PUBLISH_KEY: 'pub-c-1' };
export const KEYS = { ...PUBLIC_KEYS, PUBNUB_SECRET_KEY: 'sec-c-1' };
