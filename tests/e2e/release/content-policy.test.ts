import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { takePolicyViolations } from '#tests/support/page/problems.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

let server: ServerProcess;
let user: User;
/** Another site, which records the requests of browsers. */
let elsewhere: Server;
let address: string;
const asked: string[] = [];

beforeAll(async () => {
  elsewhere = createServer((incoming, outgoing) => {
    asked.push(incoming.url ?? '');
    outgoing.writeHead(200, { 'access-control-allow-origin': '*' }).end('hit = 1');
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  server = await startServer();
  user = await createUser(server);
  await user.signInByForm(PRODUCER, '/chat/c_001/team');
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
  elsewhere.close();
});
beforeEach(() => {
  asked.length = 0;
});

/** Attempts of an attacker who can already write into the page; they run there. */
const INJECTIONS: Readonly<Record<string, (foreign: string) => unknown>> = {
  'a script in the page': () => {
    const script = document.createElement('script');
    script.textContent = 'window.hit = 1';
    document.body.append(script);
  },
  'a script from elsewhere': (foreign) => {
    const script = document.createElement('script');
    script.src = `${foreign}/script.js`;
    document.body.append(script);
  },
  'a module from elsewhere': (foreign) => {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = `${foreign}/module.js`;
    document.head.append(link);
  },
  'a handler in the markup': () => {
    const box = document.createElement('div');
    box.innerHTML = '<img src="/no-such-picture" onerror="window.hit = 1">';
    document.body.append(box);
  },
  // One task later: code run by the driver is not subject to the policy.
  'text run as a program': () => {
    setTimeout(() => Reflect.construct(Function, ['window.hit = 1'])() as unknown, 0);
  },
  'a style in the markup': () => {
    const box = document.createElement('div');
    box.innerHTML = '<p style="color: red" id="styled">x</p>';
    document.body.append(box);
  },
  'a style on an element': () => document.body.setAttribute('style', 'color: red'),
  'text as markup': () => {
    document.body.append(Object.assign(document.createElement('p'), { innerHTML: '<b>x</b>' }));
  },
  'a policy that passes any text': () => {
    Reflect.get(globalThis, 'trustedTypes').createPolicy('any', { createHTML: String });
  },
  'a picture from elsewhere': (foreign) => {
    new Image().src = `${foreign}/picture.png`;
  },
  'a frame from elsewhere': (foreign) => {
    const frame = document.createElement('iframe');
    frame.src = `${foreign}/frame`;
    document.body.append(frame);
  },
  'a request to elsewhere': (foreign) => fetch(`${foreign}/fetch`).catch(() => undefined),
  'a beacon to elsewhere': (foreign) => navigator.sendBeacon(`${foreign}/beacon`, 'x'),
  'a form to elsewhere': (foreign) => {
    const form = document.createElement('form');
    form.action = `${foreign}/form`;
    document.body.append(form);
    form.submit();
  },
  'a worker of its own making': () => {
    try {
      return new Worker(URL.createObjectURL(new Blob(['self.close()'])));
    } catch {
      return undefined;
    }
  },
};

/** The injections of text that only a policy for Trusted Types may pass. */
const TEXTS = new Set([
  'a script in the page',
  'a script from elsewhere',
  'a handler in the markup',
  'a style in the markup',
  'text as markup',
  'a policy that passes any text',
]);

/** Errors of the browser when it refuses a text as a script or as markup. */
const UNTRUSTED = /requires 'Trusted|Failed to execute 'createPolicy'/;

test.each(Object.keys(INJECTIONS))('%s is refused and reported', async (name) => {
  const inject = INJECTIONS[name];
  if (inject === undefined) throw new Error(name);
  // Log lines of the browser besides the policy violation.
  user.problems.allow(/Failed to load resource|no-such-picture|EvalError|requires 'Trusted/);
  const thrown = await user
    .page()
    .evaluate(inject, address)
    .then(() => undefined, String);
  // Trusted Types refuse text at once; other attempts end later, and only the report shows it.
  expect(UNTRUSTED.test(thrown ?? '')).toBe(TEXTS.has(name));
  const found: string[] = [];
  await expect
    .poll(() => {
      found.push(...takePolicyViolations());
      return found.length;
    })
    .toBeGreaterThan(0);
  expect(await user.page().evaluate(() => 'hit' in globalThis)).toBe(false);
  expect(asked).toEqual([]);
  expect(user.problems.take()).toEqual([]);
});

test('the base URL cannot be changed', async () => {
  const base = await user.page().evaluate((foreign) => {
    const element = document.createElement('base');
    element.href = foreign;
    document.head.append(element);
    return document.baseURI;
  }, address);
  expect(new URL(base).origin).toBe(server.address);
  await expect.poll(() => takePolicyViolations().length).toBeGreaterThan(0);
});

test('the policy also applies to the service worker', async () => {
  await user.page().evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const [worker] = user.page().context().serviceWorkers();
  const outcome = await worker?.evaluate(
    (foreign) => fetch(`${foreign}/worker`).then(String, () => 'refused'),
    address,
  );
  expect(outcome).toBe('refused');
  await expect.poll(() => takePolicyViolations().length).toBeGreaterThan(0);
  expect(asked).toEqual([]);
});

test('another site cannot frame the page', async () => {
  const page = await user.openTab();
  await page.goto(`${address}/trap`);
  await page.evaluate((desk) => {
    document.body.innerHTML = `<iframe src="${desk}/login"></iframe>`;
  }, server.address);
  const isRefused = () => page.frames()[1]?.url().startsWith('chrome-error:');
  await expect.poll(isRefused).toBe(true);
  user.problems.allow(/frame-ancestors|ERR_BLOCKED_BY_RESPONSE/);
  await page.close();
});
