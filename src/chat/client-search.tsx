import { useEffect, useRef } from 'react';
import { IconSearch, IconX } from '@tabler/icons-react';

import classes from './client-search.module.css';

/** The open search panel: filters by first and last name; Escape closes it. */
export const ClientSearch = ({
  query,
  onChange,
  onClose,
}: {
  readonly query: string;
  readonly onChange: (query: string) => void;
  readonly onClose: () => void;
}) => {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <search className={classes['root']}>
      <IconSearch className={classes['icon']} size={18} stroke={1.8} aria-hidden />
      <input
        ref={input}
        type="search"
        className={classes['input']}
        aria-label="Search clients"
        placeholder="Search by name"
        autoComplete="off"
        value={query}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
      />
      <button
        type="button"
        className={classes['close']}
        aria-label="Close search"
        onClick={onClose}
      >
        <IconX size={16} aria-hidden />
      </button>
    </search>
  );
};
