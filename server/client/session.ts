import { setTimeout as sleep } from 'node:timers/promises';

import type { AppError } from '#domain/errors.ts';
import type { Realtime } from '#domain/ports/network.ts';
import { ROOM_TITLES, type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import type { LogEntry } from '#domain/schemas/message.ts';
import { type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { followRooms } from './follow.ts';
import { type ClientOutbox, createClientOutbox } from './outbox.ts';
import { isFinal, toDelay, toReason } from './realtime.ts';
import type { ClientScreen } from './screen.ts';

interface ClientSession {
  readonly realtime: Realtime;
  /** Address of the server. */
  readonly url: string;
  readonly room: RoomKey;
  readonly clientName: string;
  readonly screen: ClientScreen;
}

/** Messages shown at the start. */
const RECENT_COUNT = 20;
const EXIT_REFUSED = 1;
/** If leaving takes longer than this, the reason is shown. */
const SAY_WHY_MS = 1500;

/** Shows each entry of the room once, whether its response or its live copy arrives first. */
const createDisplay = ({ room, screen }: ClientSession) => {
  const shown = new Set<Timetoken>();
  return (entries: readonly LogEntry[]): void => {
    for (const entry of entries) {
      if (entry.room !== room || shown.has(entry.timetoken)) continue;
      shown.add(entry.timetoken);
      screen.showEntry(entry);
    }
  };
};

/** Reports a loss and a return of the connection once each, not at every attempt. */
const createLinkNotices = ({ screen, url }: ClientSession) => {
  let isLost = false;
  return {
    onConnected: (): void => {
      if (isLost) screen.notice('Connected again.');
      isLost = false;
    },
    onLost: (error: AppError): void => {
      if (!isLost) screen.notice(`${toReason(error, url)} Trying again …`);
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
  show: (entries: readonly LogEntry[]) => void,
  leave: AbortSignal,
): Promise<AppError | undefined> => {
  const { realtime, room } = session;
  const notices = createLinkNotices(session);
  for (let failures = 1; !leave.aborted; failures += 1) {
    const recent = await realtime.readHistory({ room, count: RECENT_COUNT }, leave);
    if (recent.ok) {
      const { entries } = recent.value;
      show(entries);
      notices.onConnected();
      const newest = entries.at(-1)?.timetoken ?? TIMETOKEN_ZERO;
      await followRooms(realtime, newest, { onEntries: show, ...notices }, leave);
      return undefined;
    }
    if (isFinal(recent.error)) return recent.error;
    if (leave.aborted) return undefined;
    notices.onLost(recent.error);
    await sleep(toDelay(failures), undefined, { signal: leave }).catch(() => undefined);
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
            `${left} ${left === 1 ? 'message is' : 'messages are'} not sent yet. Press Ctrl+C to leave without sending.`,
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
  const { url, realtime, room, clientName, screen } = session;
  const { clientId, roomId } = splitRoomKey(room);
  const leave = new AbortController();
  const abandon = new AbortController();
  const show = createDisplay(session);
  let exitCode = 0;
  const fail = (text: string): void => {
    screen.notice(text);
    exitCode = EXIT_REFUSED;
  };
  const outbox = createClientOutbox({
    realtime,
    room,
    clientName,
    abandon: abandon.signal,
    onSent: (message, timetoken) =>
      show([{ room, timetoken, publisher: `client:${clientId}`, message }]),
    onRefused: (text, error) => fail(`Not sent: ${text}\n${toReason(error, url)}`),
  });
  screen.notice(`${clientName} in ${ROOM_TITLES[roomId]}. Each line is sent as a message.`);
  screen.onLine((line) => {
    if (line.trim() !== '') outbox.send(line);
  });
  const ended = waitForEnd(screen, outbox, abandon);
  const followed = follow(session, show, leave.signal);
  const refusal = await Promise.race([followed, ended.then(() => undefined)]);
  if (refusal !== undefined) fail(toReason(refusal, url));
  await outbox.settled();
  if (outbox.pending() > 0) exitCode = EXIT_REFUSED;
  leave.abort();
  await followed;
  screen.close();
  return exitCode;
};
