import { useStore } from '#db/hooks/store-context.ts';
import { openPinned, usePinned } from '#db/hooks/use-layout.ts';
import { toMarkKey, toSwitchValue } from '#domain/schemas/marks.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { showToast } from '#src/ui/toasts/toast-store.ts';

const UNSAVED = "on this page only: this device couldn't save the change.";

/** Whether the user pinned a client, and the command that changes it. */
export interface Pin {
  readonly isPinned: boolean;
  /** The label of the command: "Pin Maya Okafor to the top". */
  readonly label: string;
  /** The lists show the change at once, even if it then cannot be stored. */
  readonly toggle: () => Promise<void>;
}

/** The pin of a client of the list; undefined without a client. */
export const usePin = (team: Team | undefined): Pin | undefined => {
  const store = useStore();
  const pinned = usePinned();
  if (team === undefined || store === undefined || pinned === undefined) return undefined;
  const { client_id: id } = team;
  const isPinned = pinned.has(id);
  const name = toFullName(team);
  const toggle = async (): Promise<void> => {
    const { get, show } = openPinned(store.database);
    const others = [...(get() ?? pinned)].filter((other) => other !== id);
    show(new Set(isPinned ? others : [...others, id]));
    const mark = [toMarkKey('pinned', id), toSwitchValue(!isPinned)] as const;
    const stored = await store.recordChoices(() => new Map([mark]));
    if (!stored.ok) showToast('error', `${isPinned ? 'Unpinned' : 'Pinned'} ${UNSAVED}`);
  };
  return { isPinned, label: isPinned ? `Unpin ${name}` : `Pin ${name} to the top`, toggle };
};
