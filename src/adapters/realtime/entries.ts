import type { ClientLog } from '#domain/ports/browser.ts';
import { parseChannel } from '#domain/rooms.ts';
import type { LogEntry } from '#domain/schemas/message.ts';
import { wireEntrySchema } from '#domain/schemas/realtime.ts';

/** Reads entries one by one; undefined for an entry of another shape or of an unknown room. */
export type ReadEntries = (template: string, entries: readonly unknown[]) => readonly LogEntry[];

export const createEntryReader = (log: ClientLog): ReadEntries => {
  const readOne = (template: string, entry: unknown): LogEntry | undefined => {
    const parsed = wireEntrySchema.safeParse(entry);
    if (!parsed.success) {
      log.write('warn', 'REALTIME_ENTRY_MALFORMED', { issues: parsed.error.issues.length });
      return undefined;
    }
    const { channel, timetoken, publisher, message } = parsed.data;
    const room = parseChannel(template, channel);
    return room && { room, timetoken, publisher, message };
  };
  return (template, entries) =>
    entries.flatMap((entry) => {
      const read = readOne(template, entry);
      return read === undefined ? [] : [read];
    });
};
