import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** A forbidden import, and the file that contains it. */
interface Breach {
  readonly from: string;
  readonly imports: string;
}

const BREACHES: readonly Breach[] = [
  { from: 'domain/probe-a.ts', imports: 'xstate' },
  { from: 'domain/probe-b.ts', imports: 'dexie' },
  { from: 'domain/probe-c.ts', imports: '#db/schema/tables.ts' },
  { from: 'domain/probe-d.ts', imports: 'node:fs' },
  { from: 'db/probe-a.ts', imports: 'react' },
  { from: 'db/probe-b.ts', imports: '#machines/outbox/outbox.machine.ts' },
  { from: 'db/probe-c.ts', imports: 'xstate' },
  { from: 'db/hooks/probe-a.ts', imports: '@mantine/core' },
  { from: 'machines/probe-a.ts', imports: 'react' },
  { from: 'machines/probe-b.ts', imports: '#db/log/event-log.ts' },
  { from: 'machines/probe-c.ts', imports: '#src/adapters/browser/system.ts' },
  { from: 'src/adapters/probe-a.ts', imports: '#db/schema/database.ts' },
  { from: 'src/adapters/probe-b.ts', imports: 'react' },
  { from: 'src/adapters/probe-c.ts', imports: '#machines/outbox/outbox.machine.ts' },
  { from: 'src/adapters/http/probe-a.ts', imports: '../../boot/compose-ports.ts' },
  { from: 'src/chat/probe-a.ts', imports: '#src/adapters/http/staff-api.ts' },
  { from: 'src/chat/probe-b.ts', imports: '#db/log/event-log.ts' },
  { from: 'src/chat/probe-c.ts', imports: 'dexie' },
  { from: 'src/auth/probe-a.ts', imports: '#src/chat/thread/thread.tsx' },
  { from: 'src/shell/probe-a.ts', imports: '#server/config/config.ts' },
  { from: 'src/auth/probe-b.ts', imports: '../chat/chat-page.tsx' },
  { from: 'src/auth/probe-c.ts', imports: '#src/drafts/drafts.ts' },
  { from: 'src/chat/room/probe-a.ts', imports: '../../auth/login-form.tsx' },
  { from: 'src/chat/room/probe-b.ts', imports: '#src/actors/runtime-context.ts' },
  { from: 'src/chat/room/probe-c.ts', imports: '#src/status/connection-status.tsx' },
  { from: 'src/shell/frame/probe-a.ts', imports: '../../chat/chat-page.tsx' },
  { from: 'src/shell/frame/probe-b.ts', imports: '#src/boot/compose-ports.ts' },
  { from: 'src/ui/probe-a.ts', imports: '#src/actors/actors.ts' },
  { from: 'src/ui/probe-b.ts', imports: '#db/hooks/use-stored.ts' },
  { from: 'src/drafts/probe-a.ts', imports: '#src/boot/compose-ports.ts' },
  { from: 'src/search/probe-a.ts', imports: 'react' },
  { from: 'src/chat/room/probe-d.ts', imports: '#src/actors/search.ts' },
  { from: 'src/home/probe-a.ts', imports: '#src/chat/thread/thread.tsx' },
  { from: 'src/home/probe-b.ts', imports: '#src/shell/keyboard/use-shortcut.ts' },
  { from: 'src/sections/probe-a.ts', imports: '#src/chat/composer/composer.tsx' },
  { from: 'src/sw/probe-a.ts', imports: 'react' },
  { from: 'src/sw/probe-b.ts', imports: '#machines/outbox/outbox.machine.ts' },
  { from: 'src/sw/probe-c.ts', imports: '#db/schema/database.ts' },
  { from: 'server/probe-a.ts', imports: '#db/schema/database.ts' },
  { from: 'server/probe-b.ts', imports: '#machines/outbox/outbox.machine.ts' },
  { from: 'server/probe-c.ts', imports: '#src/actors/actors.ts' },
  { from: 'server/probe-d.ts', imports: '#src/adapters/embedded/embedded-realtime.ts' },
  { from: 'server/client/probe-a.ts', imports: '#src/adapters/browser/system.ts' },
];

const PASSAGES: readonly Breach[] = [
  { from: 'domain/probe-z.ts', imports: 'zod/mini' },
  { from: 'db/probe-z.ts', imports: '#domain/limits.ts' },
  { from: 'machines/probe-z.ts', imports: 'xstate' },
  { from: 'src/adapters/probe-z.ts', imports: '#domain/ports/ports.ts' },
  { from: 'src/adapters/http/probe-z.ts', imports: '../browser/system.ts' },
  { from: 'src/chat/probe-z.ts', imports: '#src/actors/actors.ts' },
  { from: 'src/chat/room/probe-z.ts', imports: '../thread/thread.tsx' },
  { from: 'src/chat/room/probe-y.ts', imports: '#src/drafts/drafts.ts' },
  { from: 'src/chat/room/probe-x.ts', imports: '#src/actors/desk.ts' },
  { from: 'src/shell/frame/probe-z.ts', imports: '#src/status/connection-status.tsx' },
  { from: 'src/ui/probe-z.ts', imports: '@mantine/core' },
  { from: 'src/search/probe-z.ts', imports: '#db/read/scan-messages.ts' },
  { from: 'src/home/probe-z.ts', imports: '#src/chat/composer/composer.tsx' },
  { from: 'src/home/probe-y.ts', imports: '#src/chat/inbox/use-inbox-data.ts' },
  { from: 'src/shell/frame/probe-y.ts', imports: '#src/actors/search.ts' },
  { from: 'src/sw/probe-z.ts', imports: '#domain/schemas/notification.ts' },
  { from: 'server/probe-z.ts', imports: '#domain/limits.ts' },
  { from: 'server/client/probe-z.ts', imports: '#src/adapters/embedded/embedded-realtime.ts' },
];

let house = '';
/** The linter's output for each probe. */
let verdicts = '';

const build = async (probe: Breach): Promise<void> => {
  const path = join(house, probe.from);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `import * as probe from '${probe.imports}';\n\nexport { probe };\n`);
};

const lint = (): Promise<string> =>
  new Promise((settle) => {
    const tool = resolve('node_modules/.bin/oxlint');
    execFile(tool, ['--format=unix', '.'], { cwd: house }, (_error, stdout) => settle(stdout));
  });

beforeAll(async () => {
  house = await mkdtemp(join(tmpdir(), 'replay-desk-walls-'));
  await cp('.oxlintrc.json', join(house, '.oxlintrc.json'));
  await cp('package.json', join(house, 'package.json'));
  await symlink(resolve('node_modules'), join(house, 'node_modules'));
  for (const probe of [...BREACHES, ...PASSAGES]) await build(probe);
  verdicts = await lint();
});

afterAll(() => rm(house, { recursive: true, force: true }));

const isRefused = (probe: Breach): boolean =>
  verdicts
    .split('\n')
    .some((line) => line.includes(probe.from) && line.includes('no-restricted-imports'));

describe('the import boundaries between the folders', () => {
  test.each(BREACHES)('$from may not import $imports', (probe) => {
    expect(isRefused(probe)).toBe(true);
  });

  test.each(PASSAGES)('$from may import $imports', (probe) => {
    expect(isRefused(probe)).toBe(false);
  });
});
