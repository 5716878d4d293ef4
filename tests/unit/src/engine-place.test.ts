import { describe, expect, test } from 'vitest';

import type { PublicConfig } from '#domain/schemas/config.ts';
import { toEngineName } from '#src/boot/load-engine.ts';
import { permits } from '#src/boot/renew-shell.ts';

const POLICY = "default-src 'none'; connect-src 'self' https://ps.example.com; base-uri 'none'";

describe('a policy', () => {
  test.each([
    'https://ps.example.com',
    'https://ps.example.com:443',
    'https://PS.example.com/prefix/of/the/engine',
  ])('permits %s if it names the origin', (address) => {
    expect(permits(POLICY, address)).toBe(true);
  });

  test.each(['http://ps.example.com', 'https://ps.example.co', 'https://ps.example.com:44'])(
    'does not permit %s if it names another origin',
    (address) => {
      expect(permits(POLICY, address)).toBe(false);
    },
  );
});

describe('the name of an engine', () => {
  const common = { version: '1', demo: false, channelTemplate: 'chat.{cid}.{rid}' };
  const hosted: PublicConfig = {
    ...common,
    engine: 'hosted',
    subscribeKey: 'sub-c-1',
    publishKey: 'pub-c-1',
    origin: 'ps.example.com',
    ssl: true,
  };

  test('differs for other channels of the same keyset', () => {
    const others = { ...hosted, channelTemplate: 'live.{cid}.{rid}' };
    expect(toEngineName(others)).not.toBe(toEngineName(hosted));
    expect(toEngineName({ ...hosted, publishKey: 'pub-c-2' })).toBe(toEngineName(hosted));
  });

  test('is the same as in old stores for the embedded engine', () => {
    expect(toEngineName({ ...common, engine: 'embedded' })).toBe('embedded');
  });
});
