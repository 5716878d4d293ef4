import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type BrowserContext, chromium } from 'playwright-core';

import { findBrowser, NO_BROWSER } from './browser.ts';
import { adopt } from '../process/children.ts';
import { watchPolicy } from '../page/problems.ts';
import { WAIT_MS_MAX, waitFor } from '../wait-for.ts';

const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  '--hide-crash-restore-bubble',
  '--password-store=basic',
  '--lang=en-US',
  // A mouse, which a machine without a display lacks.
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
  '--remote-debugging-port=0',
];

/**
 * A browser with its own profile. It runs as a process that can be closed or killed and reopened
 * on the same profile, like a user's browser.
 */
export interface BrowserProcess {
  /** The folder of its profile. */
  readonly profile: string;
  /** Starts the browser on its profile and connects to it. */
  open(): Promise<BrowserContext>;
  /** Closes it like a user does. */
  close(): Promise<void>;
  /** Ends the process at once (SIGKILL). */
  kill(): Promise<void>;
  /** Kills it and removes the profile. */
  dispose(): Promise<void>;
}

/**
 * `page`: for pages only, opened once. `whole`: also for a browser's own behaviour, such as
 * keeping a profile between runs.
 */
export type BrowserKind = 'page' | 'whole';

let found: Promise<string | undefined> | undefined;

/** The test command names the browser for pages, if there is one. */
const mustFindBrowser = async (kind: BrowserKind): Promise<string> => {
  const shell = process.env['CHROMIUM_SHELL_PATH'];
  if (kind === 'page' && shell) return shell;
  found ??= findBrowser((line) => console.log(line));
  const path = await found;
  if (path === undefined) throw new Error(NO_BROWSER);
  return path;
};

/** The debugging address of a starting browser, once it has written it. */
const readEndpoint = async (profile: string, child: ChildProcess): Promise<string> => {
  let endpoint = '';
  await waitFor('the browser to start', async () => {
    if (child.exitCode !== null) throw new Error(`the browser ended with ${child.exitCode}`);
    const text = await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '');
    const [port, path] = text.split('\n');
    if (port && path) endpoint = `ws://127.0.0.1:${port}${path}`;
    return endpoint !== '';
  });
  return endpoint;
};

/** Creates a profile, in `parent` or in the temp folder; nothing runs until `open`. */
export const createBrowser = async (
  kind: BrowserKind = 'page',
  parent = tmpdir(),
): Promise<BrowserProcess> => {
  const profile = await mkdtemp(join(parent, 'replay-desk-profile-'));
  let child: ChildProcess | undefined;
  let closeGently: (() => Promise<void>) | undefined;
  let isFirst = true;

  const gone = async (): Promise<void> => {
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    child = undefined;
  };
  const kill = async (): Promise<void> => {
    child?.kill('SIGKILL');
    await gone();
  };

  return {
    profile,
    open: async () => {
      if (kind === 'page' && !isFirst) throw new Error('only a whole browser is opened again');
      isFirst = false;
      const path = await mustFindBrowser(kind);
      await rm(join(profile, 'DevToolsActivePort'), { force: true });
      const flags = [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'];
      child = adopt(spawn(path, flags, { stdio: 'ignore' }));
      const endpoint = await readEndpoint(profile, child);
      const browser = await chromium.connectOverCDP(endpoint, { timeout: WAIT_MS_MAX });
      closeGently = async () => {
        const session = await browser.newBrowserCDPSession();
        await session.send('Browser.close').catch(() => undefined);
      };
      const [context] = browser.contexts();
      if (!context) throw new Error('the browser has no context');
      await watchPolicy(context);
      return context;
    },
    close: async () => {
      await closeGently?.();
      await gone();
    },
    kill,
    dispose: async () => {
      await kill();
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
};
