import type { Settings } from '../bench.ts';
import { createDesk, type Desk } from './desk.ts';

/** What benches measure in; made on demand and shared by them. */
export interface World extends Settings {
  /** A desk with so many messages stored; those of the settings if not given. */
  desk(messages?: number): Promise<Desk>;
  dispose(): Promise<void>;
}

export const createWorld = (settings: Settings): World => {
  const desks = new Map<number, Promise<Desk>>();
  return {
    ...settings,
    desk: (messages = settings.messages) => {
      const desk = desks.get(messages) ?? createDesk({ ...settings, messages });
      desks.set(messages, desk);
      return desk;
    },
    dispose: async () => {
      for (const desk of desks.values()) await (await desk).dispose();
    },
  };
};
