import { useEffect, useRef } from 'react';
import { IconSearch } from '@tabler/icons-react';

import { useTeams } from '#db/hooks/use-stored.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';
import { useLogout } from '#src/actors/actors.ts';
import { useMarkAllRead } from '#src/actors/mark-all-read.ts';
import { type Pin, usePin } from '#src/actors/pin-client.ts';
import { navigate, useChatIds } from '#src/ui/address.tsx';
import { leaveField } from '#src/ui/focus.ts';

import type { Choice, Command, Group, Page } from './entries.ts';
import { NAVIGATION_ITEMS } from '../pages/navigation-items.ts';
import { SEARCH_PAGE, USER_PAGES } from '../pages/user-pages.ts';
import { PaletteEntry } from './palette-entry.tsx';
import '#src/ui/dialog.css';
import classes from './palette.module.css';
import { type PaletteView, type Highlight, usePalette } from './use-palette.ts';

const PAGES: readonly Page[] = [...NAVIGATION_ITEMS, SEARCH_PAGE, ...USER_PAGES];

const LIST_ID = 'palette-options';
const toOptionId = (line: number, option: number): string => `${LIST_ID}-${line}-${option}`;

const Field = ({ query, active, type, onKeyDown }: PaletteView) => (
  <div className={classes['head']}>
    <IconSearch size={20} stroke={1.7} aria-hidden />
    <input
      type="text"
      role="combobox"
      className={classes['field']}
      aria-label="Search clients, rooms, messages and commands"
      aria-expanded={active !== undefined}
      aria-controls={LIST_ID}
      aria-autocomplete="list"
      aria-activedescendant={active && toOptionId(active.line, active.option)}
      placeholder="Search clients, rooms, messages and commands"
      autoComplete="off"
      value={query}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  </div>
);

const Groups = ({
  groups,
  active,
  onChoose,
}: {
  readonly groups: readonly Group[];
  readonly active: Highlight | undefined;
  readonly onChoose: (choice: Choice) => void;
}) => {
  const starts = groups.map((_, index) =>
    groups.slice(0, index).reduce((sum, { entries }) => sum + entries.length, 0),
  );
  return groups.map(({ title, entries }, index) => (
    <div key={title} role="group" aria-label={title}>
      <p className={classes['title']} aria-hidden>
        {title}
      </p>
      {entries.map((entry, offset) => {
        const line = (starts[index] ?? 0) + offset;
        return (
          <PaletteEntry
            key={entry.id}
            entry={entry}
            toId={(option) => toOptionId(line, option)}
            active={active?.line === line ? active.option : undefined}
            onChoose={onChoose}
          />
        );
      })}
    </div>
  ));
};

const useOpenPin = (): Pin | undefined => {
  const clientId = useChatIds()?.clientId;
  return usePin(useTeams()?.find(({ client_id }) => client_id === clientId));
};

const toNoneText = ({ isFailed, isReading }: PaletteView): string => {
  if (isFailed) return "No matching client or room. Couldn't search the messages on this device.";
  return isReading
    ? 'Reading the messages on this device…'
    : 'No matching client, room or message.';
};

/** Opens any client, room or page, or runs a command: type, arrow keys, Enter; Escape closes. */
const Palette = ({
  unread,
  onShortcuts,
  onClose,
}: {
  readonly unread: UnreadByRoom;
  readonly onShortcuts: () => void;
  readonly onClose: () => void;
}) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const logout = useLogout();
  useEffect(() => {
    const { current } = dialog;
    current?.showModal();
    // A click outside a dialog has the dialog as its target. A selection of text may end there.
    let pressed: EventTarget | null = null;
    const press = ({ target }: Event): void => {
      pressed = target;
    };
    const closeOutside = ({ target }: Event): void => {
      if (target === current && pressed === current) current?.close();
    };
    current?.addEventListener('pointerdown', press);
    current?.addEventListener('click', closeOutside);
    return () => {
      current?.removeEventListener('pointerdown', press);
      current?.removeEventListener('click', closeOutside);
    };
  }, []);
  const markAllRead = useMarkAllRead(unread);
  const pin = useOpenPin();
  const commands: Readonly<Record<Command, () => void>> = {
    'mark-all-read': () => void markAllRead(),
    pin: () => void pin?.toggle(),
    shortcuts: onShortcuts,
    'sign-out': () => logout.submit(),
  };
  const choose = (choice: Choice): void => {
    dialog.current?.close();
    if ('to' in choice) {
      // The dialog returned the focus.
      leaveField();
      navigate(choice.to);
    } else commands[choice.run]();
  };
  const view = usePalette(unread, PAGES, pin?.label, choose);
  const isNone = view.active === undefined;
  const list = useRef<HTMLDivElement>(null);
  const type = (text: string): void => {
    view.type(text);
    // Enter opens the first result of another text, which must be visible.
    list.current?.scrollTo({ top: 0 });
  };
  return (
    <dialog ref={dialog} className={classes['palette']} aria-label="Search" onClose={onClose}>
      <Field {...view} type={type} />
      <div ref={list} id={LIST_ID} role="listbox" aria-label="Results" className={classes['list']}>
        <Groups groups={view.groups} active={view.active} onChoose={choose} />
      </div>
      {/* Present before its text: an inserted live region is not announced. */}
      <p role="status" className={isNone ? classes['none'] : 'visually-hidden'}>
        {isNone && toNoneText(view)}
      </p>
    </dialog>
  );
};

export default Palette;
