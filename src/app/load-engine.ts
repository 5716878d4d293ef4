import type { AppError } from '#domain/errors.ts';
import type { Realtime } from '#domain/ports.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import {
  createEmbeddedRealtime,
  type EmbeddedRealtimeNeeds,
} from '#src/adapters/embedded-realtime.ts';
import type { PublicConfigSource } from '#src/adapters/public-config.ts';

import { waitForFirstPaint } from './first-paint.ts';

/**
 * The adapter of the engine that the server names. The hosted one brings its SDK, which is
 * larger than the rest of the page: it waits until something is on the screen.
 */
export const loadEngine = async (
  needs: EmbeddedRealtimeNeeds,
  publicConfig: PublicConfigSource,
): Promise<Result<Realtime, AppError>> => {
  const config = await publicConfig.get();
  if (!config.ok) {
    // Refused settings refuse no message.
    return config.error.kind === 'rejected' ? fail({ kind: 'unreachable' }) : config;
  }
  if (config.value.engine === 'embedded') return ok(createEmbeddedRealtime(needs));
  await waitForFirstPaint();
  const { createPubnubRealtime } = await import('#src/adapters/pubnub-realtime.ts');
  return ok(createPubnubRealtime({ ...needs, config: config.value }));
};
