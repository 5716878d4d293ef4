import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import { chromium } from 'playwright-core';

import {
  canRun,
  downloadWithPlaywright,
  installFromNpm,
  installWithApt,
  mayInstall,
  type Say,
} from './install.ts';

/** The ways to get a browser if none was found. */
export const NO_BROWSER = `No Chromium was found and none could be installed. Three ways to get one:
  1. Install Chromium or Chrome with the system's package manager
     (Debian, Ubuntu: sudo apt-get install chromium).
  2. npx playwright-core install --with-deps chromium
  3. Set CHROMIUM_PATH to the executable of a Chromium or Chrome you have.`;

const COMMANDS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome.exe',
  'msedge.exe',
];

const FIXED_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The first of several executables that exists and starts. */
const findRunning = async (paths: readonly string[]): Promise<string | undefined> => {
  for (const path of paths) {
    if ((await exists(path)) && (await canRun(path))) return path;
  }
  return undefined;
};

const listSystemPaths = (): readonly string[] => {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [
    ...COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command))),
    ...FIXED_PLACES,
  ];
};

/** A Chromium of this machine: `CHROMIUM_PATH`, Playwright's own, or one of the system. */
export const findPresentBrowser = async (say: Say): Promise<string | undefined> => {
  const named = process.env['CHROMIUM_PATH'];
  if (named && (await canRun(named))) return named;
  if (named) say(`CHROMIUM_PATH (${named}) does not start; looking elsewhere`);
  return findRunning([chromium.executablePath(), ...listSystemPaths()]);
};

/**
 * Debian's package of Chromium without a user interface, and its executable. The command of that
 * name is a script: killing it leaves the program running.
 */
const SHELL = {
  name: 'chromium-headless-shell',
  path: '/usr/lib/chromium/chromium-headless-shell',
};

/**
 * Chromium for tests that only need pages: it takes two thirds of the processor time.
 * `CHROMIUM_SHELL_PATH`, or Debian's package (installed in CI or as root); undefined if there is
 * none, or if `CHROMIUM_PATH` names one browser for everything.
 */
export const findShell = async (say: Say): Promise<string | undefined> => {
  const named = process.env['CHROMIUM_SHELL_PATH'];
  if (named && (await canRun(named))) return named;
  if (process.env['CHROMIUM_PATH']) return undefined;
  const present = await findRunning([SHELL.path]);
  if (present || !mayInstall() || !(await installWithApt(say, SHELL.name))) return present;
  return findRunning([SHELL.path]);
};

/**
 * A Chromium that starts, or undefined. In this order: `CHROMIUM_PATH`, Playwright's own, one of
 * the system, Playwright's download, Debian's package (in CI or as root), the build of
 * `@sparticuz/chromium` from the npm registry. Reports each attempt to `say`.
 */
export const findBrowser = async (say: Say): Promise<string | undefined> => {
  const present = await findPresentBrowser(say);
  if (present) return present;
  say('no Chromium on this machine; trying to get one');
  const downloaded = (await downloadWithPlaywright(say)) && chromium.executablePath();
  if (downloaded && (await canRun(downloaded))) return downloaded;
  const packaged =
    mayInstall() &&
    (await installWithApt(say, 'chromium')) &&
    (await findRunning(listSystemPaths()));
  return packaged || installFromNpm(say);
};
