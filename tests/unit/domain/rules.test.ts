import { describe, expect, it } from 'vitest';

import { MESSAGE_BYTES_MAX, SEND_RETRY_MAX_MS, SEND_RETRY_MIN_MS } from '#domain/limits.ts';
import { toInitials } from '#src/ui/initials-avatar.tsx';
import { toMessageBytes } from '#domain/schemas/message.ts';
import { toRetryDelay } from '#domain/rules/retry-delay.ts';
import { isSendableText } from '#src/chat/composer/composer-text.ts';

describe('toRetryDelay', () => {
  const limits = { minMs: SEND_RETRY_MIN_MS, maxMs: SEND_RETRY_MAX_MS };
  const delays = (chance: number) =>
    [0, 1, 2, 3, 4, 5, 1000].map((attempt) =>
      toRetryDelay(attempt, limits, { next: () => chance }),
    );

  it('is never below the minimum', () => {
    expect(delays(0)).toEqual(Array.from({ length: 7 }, () => 500));
  });

  it('doubles its ceiling up to the maximum', () => {
    expect(delays(1)).toEqual([1000, 2000, 4000, 8000, 8000, 8000, 8000]);
  });

  it('varies randomly between the two', () => {
    expect(delays(0.5).slice(0, 3)).toEqual([750, 1250, 2250]);
  });
});

describe('toMessageBytes', () => {
  const payload = (text: string) => ({ text, clientName: '', clientAvatar: '', id: '' });
  const empty = toMessageBytes(payload(''));

  it('counts the envelope and UTF-8', () => {
    expect(empty).toBe('{"text":"","clientName":"","clientAvatar":"","id":""}'.length);
    expect(toMessageBytes(payload('é€😀')) - empty).toBe(2 + 3 + 4);
    expect(toMessageBytes(payload('"\n')) - empty).toBe(4);
    expect(toMessageBytes(payload('\uD83D')) - empty).toBe('\\ud83d'.length);
    expect(toMessageBytes(payload('\uD83D'.toWellFormed())) - empty).toBe(3);
  });

  it('is exact at the limit', () => {
    const room = MESSAGE_BYTES_MAX - empty;
    expect(toMessageBytes(payload('a'.repeat(room)))).toBe(MESSAGE_BYTES_MAX);
    expect(toMessageBytes(payload('a'.repeat(room + 1)))).toBe(MESSAGE_BYTES_MAX + 1);
  });
});

describe('isSendableText', () => {
  it('requires more than white space', () => {
    expect(['', ' ', '\n\t', '\u00A0\u3000\uFEFF'].map(isSendableText)).not.toContain(true);
    expect(['a', ' a ', '0', '👍', '\u200B'].map(isSendableText)).not.toContain(false);
  });
});

describe('toInitials', () => {
  it.each([
    ['Maya Okafor', 'MO'],
    ['maya', 'M'],
    ['Ana María de la Cruz', 'AC'],
    ["Sinéad O'Brien", 'SO'],
    ["'Ōtara (Jr.)", 'ŌJ'],
    ['E\u0301milie Zola', 'ÉZ'],
    ['مايا حداد', 'مح'],
    ['山田 太郎', '山太'],
    ['\u{10428}a b', '\u{10400}B'],
    ['ßen Li', 'ßL'],
    ['😀 Maya', 'M'],
    ['😀', ''],
    ['   ', ''],
  ])('returns %j as %j', (name, initials) => {
    expect(toInitials(name)).toBe(initials);
  });
});
