import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Browser, type BrowserContext, chromium } from 'playwright-core';

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

/** A browser for one user, with separate storage. */
export interface BrowserProcess {
  /** The folder of its profile. */
  readonly profile: string;
  /** Starts the browser on its profile and connects to it. */
  open(): Promise<BrowserContext>;
  /** Closes it like a user. */
  close(): Promise<void>;
  /** Ends the process at once (SIGKILL). */
  kill(): Promise<void>;
  /** Ends it and removes its stored data. */
  dispose(): Promise<void>;
}

/**
 * `page`: for pages only, opened once: all of a test process share one browser, in which each has a
 * separate context. `whole`: a process on a profile, which can be closed or killed and reopened
 * like a user's browser.
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

/** Starts a browser on a profile and connects to it. */
const launch = async (
  kind: BrowserKind,
  profile: string,
): Promise<{ readonly browser: Browser; readonly child: ChildProcess }> => {
  const path = await mustFindBrowser(kind);
  await rm(join(profile, 'DevToolsActivePort'), { force: true });
  const flags = [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'];
  const child = adopt(spawn(path, flags, { stdio: 'ignore' }));
  const endpoint = await readEndpoint(profile, child);
  return { browser: await chromium.connectOverCDP(endpoint, { timeout: WAIT_MS_MAX }), child };
};

const createProfile = (parent: string): Promise<string> =>
  mkdtemp(join(parent, 'replay-desk-profile-'));

/** The keeper's program: once its input ends, it ends a process and removes a folder. */
const KEEPER = `process.stdin.resume().on('end', () => {
  try { process.kill(Number(process.argv[1]), 'SIGKILL'); } catch {}
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };
  require('node:fs').rmSync(process.argv[2], options);
});`;

/**
 * Ends a browser and removes its profile once this process has ended in any way, even if killed.
 */
const endWithThisProcess = ({ pid }: ChildProcess, profile: string): void => {
  const stdio = ['pipe', 'ignore', 'ignore'] as const;
  const args = ['-e', KEEPER, String(pid), profile];
  spawn(process.execPath, args, { stdio: [...stdio], detached: true }).unref();
};

let shared: Promise<Browser> | undefined;

const launchShared = async (): Promise<Browser> => {
  const profile = await createProfile(tmpdir());
  const { browser, child } = await launch('page', profile);
  endWithThisProcess(child, profile);
  // After a crash the next user gets another browser.
  browser.once('disconnected', () => (shared = undefined));
  return browser;
};

/** Watches for policy violations; a step never ends before the wait of another kind would. */
const prepare = async (context: BrowserContext): Promise<BrowserContext> => {
  context.setDefaultTimeout(WAIT_MS_MAX);
  await watchPolicy(context);
  return context;
};

const onlyWhole = (): never => {
  throw new Error('only a whole browser has a profile, and is closed and opened again');
};

/** A context in the shared browser. */
const createContext = (): BrowserProcess => {
  let context: BrowserContext | undefined;
  return {
    get profile() {
      return onlyWhole();
    },
    open: async () => {
      if (context !== undefined) onlyWhole();
      shared ??= launchShared();
      context = await (await shared).newContext({ viewport: null });
      return prepare(context);
    },
    close: async () => onlyWhole(),
    kill: async () => onlyWhole(),
    dispose: async () => context?.close(),
  };
};

/** Creates a profile in `parent`; nothing runs until `open`. */
const createWhole = async (parent: string): Promise<BrowserProcess> => {
  const profile = await createProfile(parent);
  let child: ChildProcess | undefined;
  let closeGently: (() => Promise<void>) | undefined;

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
      const launched = await launch('whole', profile);
      child = launched.child;
      const { browser } = launched;
      closeGently = async () => {
        const session = await browser.newBrowserCDPSession();
        await session.send('Browser.close').catch(() => undefined);
      };
      const [context] = browser.contexts();
      if (!context) throw new Error('the browser has no context');
      return prepare(context);
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

/** Nothing runs until `open`; a whole browser's profile is in `parent`, or in the temp folder. */
export const createBrowser = async (
  kind: BrowserKind = 'page',
  parent = tmpdir(),
): Promise<BrowserProcess> => (kind === 'page' ? createContext() : createWhole(parent));
