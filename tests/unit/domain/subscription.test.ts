import { describe, expect, test } from 'vitest';

import { CHANNEL_TEMPLATE_DEFAULT } from '#domain/rooms.ts';
import {
  findOwnChannel,
  findStaffChannel,
  isSubscribed,
  PLAIN_CHANNELS_MAX,
  toSubscribedRooms,
  toSubscription,
  toSubscriptionBytes,
} from '#domain/rules/subscription.ts';

const toIds = (count: number) =>
  Array.from({ length: count }, (_, at) => `c_${String(at + 1).padStart(3, '0')}`);

const FEW = PLAIN_CHANNELS_MAX / 3;

describe('a subscription', () => {
  test('names every room while there are few', () => {
    const channels = toSubscription(CHANNEL_TEMPLATE_DEFAULT, toIds(FEW));
    expect(channels).toHaveLength(PLAIN_CHANNELS_MAX);
    expect(channels.slice(0, 3)).toEqual([
      'chat.c_001.team',
      'chat.c_001.general',
      'chat.c_001.producers',
    ]);
  });

  test('is one wildcard per client for more rooms', () => {
    const channels = toSubscription(CHANNEL_TEMPLATE_DEFAULT, toIds(FEW + 1));
    expect(channels).toHaveLength(FEW + 1);
    expect(channels[0]).toBe('chat.c_001.*');
  });

  test.each([
    'prod.chat.{cid}.{rid}',
    'chat.{rid}.{cid}',
    'chat-{cid}-{rid}',
    '{rid}.{cid}',
    '{cid}_chat.x{rid}',
  ])('stays plain if a wildcard would be too deep or match others: %s', (template) => {
    const channels = toSubscription(template, toIds(100));
    expect(channels).toHaveLength(300);
    expect(channels.join()).not.toContain('*');
  });

  test.each(['{cid}.{rid}', 'desk-{cid}.{rid}', 'a.b{cid}.{rid}'])('may be a wildcard: %s', (t) => {
    expect(toSubscription(t, toIds(100))).toHaveLength(100);
  });

  test('fits into half of an address of 32 KiB for 1,000 clients', () => {
    const channels = toSubscription(CHANNEL_TEMPLATE_DEFAULT, toIds(1000));
    expect(toSubscriptionBytes(channels)).toBeLessThan(16_384);
    expect(toSubscriptionBytes(['chat.c_001.*'])).toBe('chat.c_001.%2A,'.length);
  });
});

test('includes the rooms of its clients and no others', () => {
  for (const count of [FEW, FEW + 1]) {
    const channels = toSubscription(CHANNEL_TEMPLATE_DEFAULT, toIds(count));
    expect(isSubscribed(channels, 'chat.c_001.team')).toBe(true);
    expect(isSubscribed(channels, 'chat.c_999.team')).toBe(false);
    expect(isSubscribed(channels, 'chat.c_001')).toBe(false);
    expect(isSubscribed(channels, 'chat.c_0011.team')).toBe(false);
  }
});

describe('the channel of a user log', () => {
  test.each([FEW, FEW + 1])('is not a room, beside those of %d clients', (count) => {
    const channels = toSubscription(CHANNEL_TEMPLATE_DEFAULT, toIds(count));
    const own = findOwnChannel(CHANNEL_TEMPLATE_DEFAULT, 'u_ana');
    expect(own).toBe('own.u_ana');
    const rooms = toSubscribedRooms(CHANNEL_TEMPLATE_DEFAULT, [...channels, 'own.u_ana']);
    expect(rooms).toEqual(toSubscribedRooms(CHANNEL_TEMPLATE_DEFAULT, channels));
    expect(rooms).toHaveLength(count * 3);
    expect(isSubscribed(channels, 'own.u_ana')).toBe(false);
    expect(isSubscribed([...channels, 'own.u_ana'], 'own.u_ana')).toBe(true);
    expect(isSubscribed([...channels, 'own.u_ana'], 'own.u_bo')).toBe(false);
  });

  test.each(['', 'u.ana', '*', 'u_ana.*', 'u ana', 'u,v', 'ü', 'u'.repeat(65)])(
    'does not exist for the uid %j',
    (uid) => expect(findOwnChannel(CHANNEL_TEMPLATE_DEFAULT, uid)).toBeUndefined(),
  );

  test.each([
    ['{cid}.{rid}', 'u_ana'],
    ['{cid}n.{rid}', 'u_ana'],
    ['own.{cid}-{rid}', 'c_001-general'],
    ['own.{rid}-{cid}', 'team-c_001'],
  ])('does not exist where rooms are %s and the uid is %s', (template, uid) => {
    expect(findOwnChannel(template, uid)).toBeUndefined();
  });
});

describe('the channel of the staff log', () => {
  const STAFF = 'staff.desk';

  test.each([FEW, FEW + 1])('is not a room, beside those of %d clients', (count) => {
    const channels = toSubscription(CHANNEL_TEMPLATE_DEFAULT, toIds(count));
    expect(findStaffChannel(CHANNEL_TEMPLATE_DEFAULT)).toBe(STAFF);
    const rooms = toSubscribedRooms(CHANNEL_TEMPLATE_DEFAULT, [...channels, STAFF]);
    expect(rooms).toEqual(toSubscribedRooms(CHANNEL_TEMPLATE_DEFAULT, channels));
    expect(isSubscribed(channels, STAFF)).toBe(false);
    expect(isSubscribed([...channels, STAFF], STAFF)).toBe(true);
  });

  test.each(['{cid}.{rid}', '{cid}f.{rid}', 'staf{cid}.{rid}'])(
    'does not exist where rooms are %s',
    (template) => expect(findStaffChannel(template)).toBeUndefined(),
  );

  test('is not a user log, whatever the uid', () => {
    expect(findOwnChannel(CHANNEL_TEMPLATE_DEFAULT, 'desk')).toBe('own.desk');
    expect(findOwnChannel(CHANNEL_TEMPLATE_DEFAULT, '../staff.desk')).toBeUndefined();
  });
});
