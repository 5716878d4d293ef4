import { isRoomId, type RoomId } from '#domain/rooms.ts';

/** The speaker: `J` and `L` are the staff, `C` is the client of the room. */
export type Speaker = 'J' | 'L' | 'C';

export interface ScriptLine {
  readonly speaker: Speaker;
  readonly text: string;
}

/** Consecutive lines, from a clock time some days ago or from some minutes ago. */
export interface Scene {
  readonly start:
    | { readonly daysAgo: number; readonly hour: number; readonly minute: number }
    | { readonly minutesAgo: number };
  readonly lines: ScriptLine[];
}

export interface RoomScript {
  readonly roomId: RoomId;
  readonly scenes: Scene[];
}

const CLOCK = /^@ (\d+) (\d\d):(\d\d)$/;
const MINUTES_AGO = /^@ (\d+)m$/;
const MESSAGE = /^([JLC]) (.+)$/;
const CONTINUED = /^ {2}(.+)$/;

const parseStart = (line: string): Scene['start'] | undefined => {
  const clock = CLOCK.exec(line);
  if (clock !== null) {
    return { daysAgo: Number(clock[1]), hour: Number(clock[2]), minute: Number(clock[3]) };
  }
  const minutes = MINUTES_AGO.exec(line);
  return minutes === null ? undefined : { minutesAgo: Number(minutes[1]) };
};

/** Adds a message, or another line of the last one, to a scene; false if it is neither. */
const takeLine = (scene: Scene | undefined, line: string): boolean => {
  const message = MESSAGE.exec(line);
  if (scene !== undefined && message !== null) {
    scene.lines.push({ speaker: message[1] as Speaker, text: message[2] ?? '' });
    return true;
  }
  const continued = CONTINUED.exec(line);
  const last = scene?.lines.pop();
  if (continued === null || last === undefined) return false;
  scene?.lines.push({ ...last, text: `${last.text}\n${continued[1] ?? ''}` });
  return true;
};

/**
 * Parses conversations in the format of the folder rooms: `# team` begins a room, `@ 3 09:15`
 * (days ago, clock) or `@ 45m` (minutes ago) a scene, `J`, `L` or `C` a message, two spaces
 * another line of the same message. Throws on anything else.
 */
export const parseScript = (source: string): readonly RoomScript[] => {
  const rooms: RoomScript[] = [];
  for (const [index, line] of source.trimEnd().split('\n').entries()) {
    const scenes = rooms.at(-1)?.scenes;
    const roomId = line.startsWith('# ') ? line.slice(2) : undefined;
    const start = parseStart(line);
    if (isRoomId(roomId)) rooms.push({ roomId, scenes: [] });
    else if (start !== undefined && scenes !== undefined) scenes.push({ start, lines: [] });
    else if (!takeLine(scenes?.at(-1), line)) throw new Error(`line ${index + 1}: ${line}`);
  }
  return rooms;
};
