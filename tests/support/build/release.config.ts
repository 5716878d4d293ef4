import { mergeConfig, type Plugin } from 'vite';

import config from '../../../vite.config.ts';

/** The name of the release to build, from the environment. */
const release = process.env['RELEASE'] ?? '';

/** Shows the release in `data-release` of the page. */
const markPage = (): Plugin => ({
  name: 'replay-desk:mark-page',
  transformIndexHtml: (html) => html.replace('<html', `<html data-release="${release}"`),
});

/** The page's own build with a line added to every script: two releases share no file. */
export default mergeConfig(config, {
  plugins: [markPage()],
  build: { rolldownOptions: { output: { banner: `globalThis.release = '${release}';` } } },
});
