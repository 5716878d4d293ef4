import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { createPortal } from 'react-dom';

import classes from './hover-label.module.css';

interface Label {
  readonly text: string;
  readonly top: number;
  readonly left: number;
}

const findLabel = (event: SyntheticEvent): Label | undefined => {
  const element =
    event.target instanceof Element ? event.target.closest('[data-hover-label]') : null;
  const text = element?.getAttribute('data-hover-label');
  if (element === null || text === null || text === undefined) return undefined;
  const { top, height, right } = element.getBoundingClientRect();
  return { text, top: top + height / 2, left: right };
};

const FloatingLabel = ({ text, top, left }: Label) =>
  createPortal(
    <span aria-hidden dir="auto" className={classes['label']} style={{ top, left }}>
      {text}
    </span>,
    document.body,
  );

/**
 * A scrolling list whose entries show their name on hover while the list is collapsed: one label
 * for the whole list instead of a tooltip per entry. It repeats the accessible name, so it is
 * hidden from assistive technology.
 */
export const HoverLabel = ({
  active,
  className,
  children,
}: {
  readonly active: boolean;
  readonly className: string;
  readonly children: ReactNode;
}) => {
  const [label, setLabel] = useState<Label | undefined>();
  const hide = (): void => setLabel(undefined);
  return (
    <div
      className={className}
      onPointerOver={(event) =>
        setLabel(event.pointerType === 'mouse' ? findLabel(event) : undefined)
      }
      onPointerLeave={hide}
      onFocus={(event) =>
        setLabel(event.target.matches(':focus-visible') ? findLabel(event) : undefined)
      }
      onBlur={hide}
      onScroll={hide}
    >
      {children}
      {active && label !== undefined && <FloatingLabel {...label} />}
    </div>
  );
};
