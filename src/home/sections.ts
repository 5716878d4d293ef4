import type { RoomKey } from '#domain/rooms.ts';
import type { RoomSummary } from '#domain/rules/waiting.ts';
import type { Team } from '#domain/schemas/team.ts';
import type { Preview } from '#domain/text/preview.ts';

/** The sections of Home in their order, with the names of their regions. */
export const SECTION_TITLES = {
  reminders: 'Reminders',
  waiting: 'Needs reply',
  unread: 'Unread',
  drafts: 'Drafts',
  unsent: 'Not sent',
  recent: 'Recent',
} as const;
export type SectionName = keyof typeof SECTION_TITLES;
export const SECTION_NAMES = Object.keys(SECTION_TITLES) as readonly SectionName[];

/** Longer sections show these, and the rest on request. */
export const SHOWN_MAX = 8;

/** A draft, or an unsent message with its id. */
export interface OwnText {
  readonly id?: string;
  readonly text: string;
}

export const joinOwnTexts = (texts: readonly OwnText[]): string =>
  texts.map(({ text }) => text).join('\n\n');

/** One room in one section. */
export interface Entry extends Omit<Preview, 'at'> {
  /** Section and room: a room with a draft may be in two sections. */
  readonly id: string;
  readonly room: RoomKey;
  readonly team: Team;
  /** Its room, or the message that its reminder is about. */
  readonly path: string;
  /** "2:05 PM", "Yesterday"; empty for a draft; of a reminder, when it is or was due. */
  readonly time: string;
  /** A reminder that is not due yet. */
  readonly isLater: boolean;
  /** How long the room has waited: "12 min", "3 h"; empty if it does not wait. */
  readonly wait: string;
  readonly unread: number;
  /** The summary of a room that waits or returned, for putting it aside. */
  readonly summary: RoomSummary | undefined;
  /** The assignee of the room: "You", "Leila Haddad"; empty for nobody. */
  readonly assignee: string;
  /** Ids of the user's messages that were refused. */
  readonly failed: readonly string[];
  /** The user's texts to a client who was removed: nothing else shows them. */
  readonly toCopy: readonly OwnText[];
}

export interface Section {
  readonly name: SectionName;
  readonly entries: readonly Entry[];
  /** Its rooms, including those of entries that are not shown. */
  readonly rooms: readonly RoomKey[];
}

const toRank = ({ name, entries }: Section): number => {
  if (entries.some(({ failed }) => failed.length > 0)) return -1;
  if (name === 'reminders' && entries[0]?.isLater) return SECTION_NAMES.indexOf('recent') - 0.5;
  return SECTION_NAMES.indexOf(name);
};

/**
 * A refused message needs its user before everything else. Reminders come next if one of them is
 * due, and otherwise after all that is to do.
 */
export const inOrder = (sections: readonly Section[]): readonly Section[] =>
  sections.toSorted((a, b) => toRank(a) - toRank(b));

/** An entry that stays while its user answers it, regardless of changes to its room. */
export interface Pinned {
  readonly entry: Entry;
  readonly section: SectionName;
  /** Its place in the section. */
  readonly index: number;
}

/** The sections with the pinned entry, at its place if it is no longer among them. */
export const withPinned = (
  sections: readonly Section[],
  pinned: Pinned | undefined,
): readonly Section[] => {
  if (pinned === undefined) return sections;
  const { entry, section: name, index } = pinned;
  const own = sections.find((section) => section.name === name);
  if (own?.entries.some(({ id }) => id === entry.id)) return sections;
  const entries = (own?.entries ?? []).toSpliced(index, 0, entry);
  const rooms = own?.rooms ?? [];
  const isCounted = rooms.includes(entry.room);
  const next: Section = { name, entries, rooms: isCounted ? rooms : [...rooms, entry.room] };
  return inOrder([...sections.filter((section) => section !== own), next]);
};
