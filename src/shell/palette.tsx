import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { IconHash, IconSearch, IconUser } from '@tabler/icons-react';
import { useNavigate } from 'react-router';

import { useTeams } from '#db/hooks/use-teams.ts';
import { findPlaces, type Place } from '#domain/rules/places.ts';

import classes from './palette.module.css';

const PLACES_MAX = 30;
const NOBODY: readonly never[] = [];

const LIST_ID = 'palette-places';
const toOptionId = (index: number): string => `${LIST_ID}-${index}`;

/** What is typed, what is found, and which of it Enter goes to. */
const usePalette = (onChoose: (place: Place) => void) => {
  const teams = useTeams() ?? NOBODY;
  const [query, setQuery] = useState('');
  const [wanted, setWanted] = useState(0);
  const places = findPlaces(teams, query, PLACES_MAX);
  const active = Math.min(wanted, places.length - 1);
  const type = (text: string): void => {
    setQuery(text);
    setWanted(0);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    const place = places[active];
    if (event.nativeEvent.isComposing) return;
    if (step !== undefined && places.length > 0) {
      event.preventDefault();
      setWanted((active + step + places.length) % places.length);
    } else if (event.key === 'Enter' && place !== undefined) {
      event.preventDefault();
      onChoose(place);
    }
  };
  return { query, places, active, type, onKeyDown };
};

const Option = ({
  place,
  id,
  active,
  onChoose,
}: {
  readonly place: Place;
  readonly id: string;
  readonly active: boolean;
  readonly onChoose: () => void;
}) => {
  const option = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (active) option.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const Icon = place.room === undefined ? IconUser : IconHash;
  return (
    <button
      ref={option}
      type="button"
      id={id}
      role="option"
      aria-selected={active}
      // The field keeps the focus and speaks for its options (ARIA combobox pattern).
      tabIndex={-1}
      className={classes['option']}
      onClick={onChoose}
    >
      <Icon size={18} stroke={1.7} aria-hidden />
      <span className={classes['client']} dir="auto">
        {place.client}
      </span>
      {place.room !== undefined && <span className={classes['room']}>{place.room}</span>}
    </button>
  );
};

const Field = ({
  query,
  count,
  active,
  onType,
  onKeyDown,
}: {
  readonly query: string;
  readonly count: number;
  readonly active: number;
  readonly onType: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}) => (
  <div className={classes['head']}>
    <IconSearch size={20} stroke={1.7} aria-hidden />
    <input
      type="text"
      role="combobox"
      className={classes['field']}
      aria-label="Go to client or room"
      aria-expanded={count > 0}
      aria-controls={LIST_ID}
      aria-autocomplete="list"
      aria-activedescendant={count > 0 ? toOptionId(active) : undefined}
      placeholder="Go to a client or room"
      autoComplete="off"
      value={query}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  </div>
);

/** Goes to any client or room by name: type, arrow keys, Enter; Escape closes. */
const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  useEffect(() => dialog.current?.showModal(), []);
  const choose = (place: Place): void => {
    dialog.current?.close();
    void navigate(place.path);
  };
  const { query, places, active, type, onKeyDown } = usePalette(choose);
  const count = places.length;
  return (
    <dialog ref={dialog} className={classes['palette']} aria-label="Go to" onClose={onClose}>
      <Field query={query} count={count} active={active} onType={type} onKeyDown={onKeyDown} />
      <div id={LIST_ID} role="listbox" aria-label="Clients and rooms" className={classes['list']}>
        {places.map((place, index) => (
          <Option
            key={place.path}
            place={place}
            id={toOptionId(index)}
            active={index === active}
            onChoose={() => choose(place)}
          />
        ))}
      </div>
      {count === 0 && (
        <p role="status" className={classes['none']}>
          Nobody and nothing is called that.
        </p>
      )}
    </dialog>
  );
};

export default Palette;
