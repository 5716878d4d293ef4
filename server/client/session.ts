import { setTimeout as sleep } from 'node:timers/promises';

import { type RoomId, ROOM_TITLES } from '#domain/rooms.ts';
import type { WireEntry } from '#domain/schemas/realtime.ts';
import { laterOf, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { type ClientOutbox, createClientOutbox } from './outbox.ts';
import { toJitteredDelay } from './jittered-delay.ts';
import type { ClientScreen } from './screen.ts';
import { followRooms } from './stream.ts';
import type { ClientWire } from './wire.ts';

interface ClientSession {
  readonly wire: ClientWire;
  readonly channel: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly roomId: RoomId;
  readonly screen: ClientScreen;
}

/** Messages shown at the start. */
const RECENT_COUNT = 20;
const EXIT_REFUSED = 1;
/** If leaving takes longer than this, the reason is shown. */
const SAY_WHY_MS = 1500;

/** Shows each entry of the channel once, whether its response or its live copy arrives first. */
const createDisplay = ({ channel, screen }: ClientSession) => {
  const shown = new Set<Timetoken>();
  return (entries: readonly WireEntry[]): void => {
    for (const entry of entries) {
      if (entry.channel !== channel || shown.has(entry.timetoken)) continue;
      shown.add(entry.timetoken);
      screen.showEntry(entry);
    }
  };
};

/** Reports a loss and a return of the connection once each, not at every attempt. */
const createLinkNotices = (screen: ClientScreen) => {
  let isLost = false;
  return {
    onConnected: (): void => {
      if (isLost) screen.notice('Connected again.');
      isLost = false;
    },
    onLost: (text: string): void => {
      if (!isLost) screen.notice(`${text} Trying again …`);
      isLost = true;
    },
  };
};

/**
 * Shows the newest messages as soon as the server answers, then follows the room. A refusal of
 * these reads is final: the response states the reason.
 */
const follow = async (
  session: ClientSession,
  show: (entries: readonly WireEntry[]) => void,
  leave: AbortSignal,
): Promise<string | undefined> => {
  const { wire, screen } = session;
  const notices = createLinkNotices(screen);
  for (let failures = 1; !leave.aborted; failures += 1) {
    const recent = await wire.readRecent(RECENT_COUNT, leave);
    if (recent.ok) {
      show(recent.value);
      notices.onConnected();
      const newest = recent.value.reduce(
        (at, entry) => laterOf(at, entry.timetoken),
        TIMETOKEN_ZERO,
      );
      await followRooms(wire, newest, { onEntries: show, ...notices }, leave);
      return undefined;
    }
    if (recent.error.kind === 'refused') return recent.error.text;
    if (leave.aborted) return undefined;
    notices.onLost(recent.error.text);
    await sleep(toJitteredDelay(failures), undefined, { signal: leave }).catch(() => undefined);
  }
  return undefined;
};

/** Resolves at the first end of input or Ctrl+C; the second one drops unsent lines. */
const waitForEnd = (screen: ClientScreen, outbox: ClientOutbox, abandon: AbortController) =>
  new Promise<void>((resolve) => {
    let isEnding = false;
    const end = (): void => {
      if (isEnding) abandon.abort();
      isEnding = true;
      setTimeout(() => {
        const left = outbox.pending();
        if (left > 0)
          screen.notice(
            `${left} not sent yet, still trying. Press Ctrl+C to leave without sending.`,
          );
      }, SAY_WHY_MS).unref();
      resolve();
    };
    process.on('SIGINT', end);
    process.on('SIGTERM', end);
    screen.onEnd(end);
  });

/** Runs the conversation; returns the exit code. */
export const runClient = async (session: ClientSession): Promise<number> => {
  const { wire, channel, clientId, clientName, roomId, screen } = session;
  const leave = new AbortController();
  const abandon = new AbortController();
  const show = createDisplay(session);
  let exitCode = 0;
  const fail = (text: string): void => {
    screen.notice(text);
    exitCode = EXIT_REFUSED;
  };
  const outbox = createClientOutbox({
    wire,
    clientName,
    abandon: abandon.signal,
    onSent: (message, timetoken) =>
      show([{ channel, timetoken, publisher: `client:${clientId}`, message }]),
    onRefused: (text, reason) => fail(`Not sent: ${text}\n${reason}`),
  });
  screen.notice(`${clientName} in ${ROOM_TITLES[roomId]}. Each line is sent as a message.`);
  screen.onLine((line) => {
    if (line.trim() !== '') outbox.send(line);
  });
  const ended = waitForEnd(screen, outbox, abandon);
  const followed = follow(session, show, leave.signal);
  const refusal = await Promise.race([followed, ended.then(() => undefined)]);
  if (refusal !== undefined) fail(refusal);
  await outbox.settled();
  if (outbox.pending() > 0) exitCode = EXIT_REFUSED;
  leave.abort();
  await followed;
  screen.close();
  return exitCode;
};
