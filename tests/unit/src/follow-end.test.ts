import { expect, test } from 'vitest';

import { createFollowEnd, toEndDistance } from '#src/chat/thread/follow-end.ts';

test('the distance to the end is the height below the visible part', { tags: ['S9.7'] }, () => {
  const place = { scrollHeight: 1000, scrollTop: 300, clientHeight: 500 };
  expect(toEndDistance(place)).toBe(200);
  expect(toEndDistance({ ...place, scrollTop: 500 })).toBe(0);
});

const toElement = (scrollTop: number, scrollHeight = 1000): HTMLElement =>
  ({ scrollHeight, scrollTop, clientHeight: 500 }) as HTMLElement;

test('new content below the end is followed', () => {
  const follow = createFollowEnd();
  follow.scrolled(toElement(500));
  expect(follow.shouldGo(toElement(500, 1100))).toBe(true);
});

test('a thread that was scrolled up stays there, even before the scroll event arrives', () => {
  const follow = createFollowEnd();
  follow.scrolled(toElement(500));
  expect(follow.shouldGo(toElement(100))).toBe(false);
  follow.moved(toElement(100));
  follow.scrolled(toElement(100));
  expect(follow.shouldGo(toElement(100, 1100))).toBe(false);
  follow.scrolled(toElement(600, 1100));
  expect(follow.shouldGo(toElement(600, 1200))).toBe(true);
});

test('rows that turn out shorter move the thread, which still follows its end', () => {
  const follow = createFollowEnd();
  follow.scrolled(toElement(500));
  expect(follow.shouldGo(toElement(300, 900))).toBe(true);
});
