import { fail, ok } from '#domain/result.ts';
import type { EmbeddedRealtimeNeeds } from '#src/adapters/embedded-realtime.ts';
import type { LoadRealtime } from '#src/adapters/lazy-realtime.ts';
import type { PublicConfigSource } from '#src/adapters/public-config.ts';

import { waitForFirstPaint } from './first-paint.ts';

/**
 * Loads the adapter of the engine that the server names. The hosted one brings its SDK, which
 * is larger than everything else: it waits until something is on the screen.
 */
export const toEngineLoader =
  (needs: EmbeddedRealtimeNeeds, publicConfig: PublicConfigSource): LoadRealtime =>
  async () => {
    const config = await publicConfig.get();
    if (!config.ok) {
      // Refused settings refuse no message.
      return config.error.kind === 'rejected' ? fail({ kind: 'unreachable' }) : config;
    }
    if (config.value.engine === 'embedded') {
      const { createEmbeddedRealtime } = await import('#src/adapters/embedded-realtime.ts');
      return ok(createEmbeddedRealtime(needs));
    }
    await waitForFirstPaint();
    const { createPubnubRealtime } = await import('#src/adapters/pubnub-realtime.ts');
    return ok(createPubnubRealtime({ ...needs, config: config.value }));
  };
