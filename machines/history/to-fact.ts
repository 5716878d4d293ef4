import type { Fact } from '#domain/events.ts';
import { type LogEntry, parseIncoming } from '#domain/schemas/message.ts';

/** An entry of a room's log as a fact; anything without a text is an unreadable one. */
export const toFact = (entry: LogEntry, via: 'live' | 'history'): Fact => {
  const { room, timetoken, publisher } = entry;
  const incoming = parseIncoming(entry.message);
  if (incoming.kind === 'unreadable') {
    const { raw } = incoming;
    return { type: 'v1.UnreadableReceived', room, timetoken, publisher, raw, via };
  }
  const { id, text, clientName, clientAvatar } = incoming;
  return {
    type: 'v1.MessageReceived',
    room,
    timetoken,
    publisher,
    ...(id === undefined ? {} : { id }),
    text,
    clientName,
    clientAvatar,
    via,
  };
};
