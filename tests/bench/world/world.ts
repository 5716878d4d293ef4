import type { Settings } from '../bench.ts';
import { createDesk, type Desk, type DeskSize } from './desk.ts';

/** The places in which benches measure; created on demand and shared by them. */
export interface World extends Settings {
  /** An installation of this size; by default with the messages of the settings. */
  desk(size?: Partial<DeskSize>): Promise<Desk>;
  dispose(): Promise<void>;
}

const CLIENTS = 100;

export const createWorld = (settings: Settings): World => {
  const desks = new Map<string, Promise<Desk>>();
  return {
    ...settings,
    desk: ({ messages = settings.messages, clients = CLIENTS } = {}) => {
      const key = `${messages} ${clients}`;
      const desk = desks.get(key) ?? createDesk(settings, { messages, clients });
      desks.set(key, desk);
      return desk;
    },
    dispose: async () => {
      const created = await Promise.allSettled(desks.values());
      for (const desk of created) if (desk.status === 'fulfilled') await desk.value.dispose();
    },
  };
};
