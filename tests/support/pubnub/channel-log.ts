/** One message as the service stores it. */
export interface StoredMessage {
  readonly channel: string;
  /** 17 digits */
  readonly timetoken: string;
  readonly publisher: string;
  readonly message: unknown;
  /** Published with `store=0`: for subscribers, not for the history. */
  readonly isPassing?: boolean;
}

const toTimetoken = (ms: number): string => `${BigInt(Math.floor(ms)) * 10_000n}`.padStart(17, '0');

/** Whether a subscribed name, which may be a wildcard, includes this channel. */
export const isMatch = (name: string, channel: string): boolean => {
  if (!name.endsWith('.*')) return name === channel;
  return channel.startsWith(name.slice(0, -1));
};

/** The log of all channels, with strictly rising timetokens; it survives restarts. */
export class ChannelLog {
  readonly messages: StoredMessage[] = [];
  readonly #listeners = new Set<() => void>();
  #last = '00000000000000000';

  /** Number of waiting polls. */
  get waiting(): number {
    return this.#listeners.size;
  }

  /** The current position: after everything stored, before anything stored later. */
  now(): string {
    const now = toTimetoken(Date.now());
    if (now > this.#last) this.#last = now;
    return this.#last;
  }

  /** Appends a message; `at` (ms) puts it into the past. */
  append(channel: string, publisher: string, message: unknown, at?: number): string {
    return this.#append({ channel, publisher, message }, at);
  }

  /** Delivers a message to subscribers without storing it. */
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

  /** Fills the log with earlier messages, before anyone subscribes. */
  restore(messages: readonly StoredMessage[]): void {
    this.#put(messages);
    this.#last = this.messages.at(-1)?.timetoken ?? this.#last;
  }

  #put(messages: readonly StoredMessage[]): void {
    this.messages.push(...messages);
    this.messages.sort((one, other) => (one.timetoken < other.timetoken ? -1 : 1));
  }

  /** Messages of the subscribed channels, after a timetoken. */
  findAfter(names: readonly string[], timetoken: string): readonly StoredMessage[] {
    const first = this.messages.findLastIndex((stored) => stored.timetoken <= timetoken) + 1;
    return this.messages
      .slice(first)
      .filter(({ channel }) => names.some((name) => isMatch(name, channel)));
  }

  findIn(channel: string): readonly StoredMessage[] {
    return this.messages.filter((stored) => stored.channel === channel && !stored.isPassing);
  }

  /** Calls the listener at every message; returns a function that stops it. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
