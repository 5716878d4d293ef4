import { mergeConfig, type Plugin } from 'vite';

import config from '../../../vite.config.ts';

/** The name of the release to build, from the environment. */
const release = process.env['RELEASE'] ?? '';

/** Makes the release known by `data-release` of the page. */
const markPage = (): Plugin => ({
  name: 'replay-desk:mark-page',
  transformIndexHtml: (html) => html.replace('<html', `<html data-release="${release}"`),
});

/** The page's own build, but for a line in every script: no file of two releases is the same. */
export default mergeConfig(config, {
  plugins: [markPage()],
  build: { rolldownOptions: { output: { banner: `globalThis.release = '${release}';` } } },
});
