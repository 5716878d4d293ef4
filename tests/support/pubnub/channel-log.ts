/** One stored message as the service keeps it. */
export interface StoredMessage {
  readonly channel: string;
  /** 17 digits */
  readonly timetoken: string;
  readonly publisher: string;
  readonly message: unknown;
  /** Published with `store=0`: for those who listen, not for the history. */
  readonly isPassing?: boolean;
}

const toTimetoken = (ms: number): string => `${BigInt(Math.floor(ms)) * 10_000n}`.padStart(17, '0');

/** Whether a name of a subscription, which may be a wildcard, means this channel. */
export const isMatch = (name: string, channel: string): boolean => {
  if (!name.endsWith('.*')) return name === channel;
  return channel.startsWith(name.slice(0, -1));
};

/** The log of all channels, with timetokens that rise strictly; it outlives restarts. */
export class ChannelLog {
  readonly messages: StoredMessage[] = [];
  readonly #listeners = new Set<() => void>();
  #last = '00000000000000000';

  /** Polls that wait for news. */
  get waiting(): number {
    return this.#listeners.size;
  }

  /** Now: after everything stored, before whatever is stored later. */
  now(): string {
    const now = toTimetoken(Date.now());
    if (now > this.#last) this.#last = now;
    return this.#last;
  }

  /** Stores a message at its end, whatever was stored before; `at` (ms) puts it into the past. */
  append(channel: string, publisher: string, message: unknown, at?: number): string {
    return this.#append({ channel, publisher, message }, at);
  }

  /** Hands a message to those who listen and stores it nowhere. */
  pass(channel: string, publisher: string, message: unknown): string {
    return this.#append({ channel, publisher, message, isPassing: true });
  }

  #append(entry: Omit<StoredMessage, 'timetoken'>, at?: number): string {
    const next = `${BigInt(this.now()) + 1n}`.padStart(17, '0');
    const timetoken = at === undefined ? next : toTimetoken(at);
    if (at === undefined) this.#last = next;
    this.#put([{ ...entry, timetoken }]);
    for (const listener of this.#listeners) listener();
    return timetoken;
  }

  /** Fills the log with what was said before, while nobody listens. */
  restore(messages: readonly StoredMessage[]): void {
    this.#put(messages);
    this.#last = this.messages.at(-1)?.timetoken ?? this.#last;
  }

  #put(messages: readonly StoredMessage[]): void {
    this.messages.push(...messages);
    this.messages.sort((one, other) => (one.timetoken < other.timetoken ? -1 : 1));
  }

  /** Messages of the channels a subscription names, after a timetoken. */
  findAfter(names: readonly string[], timetoken: string): readonly StoredMessage[] {
    const first = this.messages.findLastIndex((stored) => stored.timetoken <= timetoken) + 1;
    return this.messages
      .slice(first)
      .filter(({ channel }) => names.some((name) => isMatch(name, channel)));
  }

  findIn(channel: string): readonly StoredMessage[] {
    return this.messages.filter((stored) => stored.channel === channel && !stored.isPassing);
  }

  /** Calls at every message; returns how to stop. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
