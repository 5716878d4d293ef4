import {
  memo,
  type MouseEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import {
  defaultRangeExtractor,
  observeElementRect,
  type Range,
  useVirtualizer,
  type Virtualizer,
} from '@tanstack/react-virtual';
import { IconPinFilled } from '@tabler/icons-react';

import { usePinned } from '#db/hooks/use-layout.ts';
import { usePrepareClient } from '#db/hooks/use-prepare.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toClientPath, toRoomPath } from '#domain/routes.ts';
import type { Filter } from '#domain/rules/inbox.ts';
import { sumByClient, type UnreadByRoom } from '#domain/rules/unread.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { openLink, useChatIds } from '#src/ui/address.tsx';
import { InitialsAvatar } from '#src/ui/initials-avatar.tsx';
import { toUnreadDescription, UnreadBadge } from '#src/ui/unread-badge.tsx';
import { FIRST_RECT, useOverscan } from '#src/ui/virtual-list.ts';

import { LineBody } from '../inbox/line-body.tsx';
import type { Line, Lines } from '../inbox/use-lines.ts';
import classes from './client-list.module.css';

const AVATAR_PX = 40;
const PIN_PX = 14;
/** Heights of a row with the name alone and with a line below it, CSS pixels. */
const ROW_PX = 56;
const TALL_ROW_PX = 64;
/** Space above the first row, CSS pixels. */
const HEAD_PX = 4;

interface ClientLinkProps extends Partial<Line> {
  readonly team: Team;
  readonly unread: number;
  readonly pinned: boolean;
  readonly current: boolean;
  readonly tall: boolean;
  /** Called when it is pressed or gets the focus. */
  readonly onUse: (clientId: string, room: RoomKey | undefined) => void;
}

/** Leads to a room of the client, or to the one opened last. */
export const toPath = ({ client_id }: Team, room: RoomKey | undefined): string =>
  room ? toRoomPath(room) : toClientPath(client_id);

/** A double click opens once: after the first click the link may lead to another room. */
const open = (event: MouseEvent<HTMLAnchorElement>): void => {
  if (event.detail > 1) event.preventDefault();
  openLink(event);
};

/** Its accessible name is only the client's full name. */
const ClientLink = memo((props: ClientLinkProps) => {
  const { team, unread, pinned, current, tall, onUse, room, mute, quiet, ...line } = props;
  const name = toFullName(team);
  const isTold = tall || line.kind === 'failed';
  const notes = [pinned && 'Pinned', mute && 'Muted', ...(isTold ? [line.said, line.note] : [])];
  const marks = (
    <>
      {pinned && <IconPinFilled className={classes['pin']} size={PIN_PX} aria-hidden />}
      {mute}
    </>
  );
  const use = (): void => onUse(team.client_id, room);
  return (
    <a
      href={toPath(team, room)}
      className={classes['link']}
      data-hover-label={name}
      data-hover-lead={line.lead}
      data-hover-text={line.text}
      data-hover-note={line.note}
      data-kind={line.kind}
      data-quiet={quiet}
      // ARIA 1.3, unknown to the linter.
      {...{ 'aria-description': toUnreadDescription(unread, ...notes) }}
      aria-current={current ? 'page' : undefined}
      onClick={open}
      onPointerDown={use}
      onFocus={use}
    >
      <InitialsAvatar name={name} seed={team.client_id} shape="round" size={AVATAR_PX} />
      {tall ? (
        <LineBody name={name} marks={marks} unread={unread} {...line} />
      ) : (
        <>
          <span className={classes['name']} dir="auto">
            {name}
          </span>
          {marks}
          <span className={classes['badge']}>
            <UnreadBadge count={unread} />
          </span>
        </>
      )}
    </a>
  );
});

type ListVirtualizer = Virtualizer<HTMLDivElement, Element>;

/** A hidden list keeps its rows, so that it need not render when it is shown again. */
const observeShownRect = (
  list: ListVirtualizer,
  onRect: (rect: { readonly width: number; readonly height: number }) => void,
) => observeElementRect(list, (rect) => void (rect.height > 0 && onRect(rect)));

/** The rows near the visible part, and the one used last, which may have the focus. */
const useRows = (
  teams: readonly Team[],
  scroller: RefObject<HTMLDivElement | null>,
  rowPx: number,
) => {
  const used = useRef<string | undefined>(undefined);
  const rangeExtractor = useCallback(
    (range: Range): number[] => {
      const near = defaultRangeExtractor(range);
      const at = teams.findIndex(({ client_id }) => client_id === used.current);
      if (at === -1 || near.includes(at)) return near;
      return [...near, at].toSorted((a, b) => a - b);
    },
    [teams],
  );
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: teams.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => teams[index]?.client_id ?? index, [teams]),
    estimateSize: () => rowPx,
    paddingStart: HEAD_PX,
    overscan: useOverscan(),
    initialRect: FIRST_RECT,
    observeElementRect: observeShownRect,
    rangeExtractor,
    useFlushSync: false,
  });
  const lastPx = useRef(rowPx);
  useLayoutEffect(() => {
    // Renders again before the paint: after the mount, only then does the list have its scroller.
    virtualizer.measure();
    const list = scroller.current;
    // The same clients stay in view.
    if (list) list.scrollTop *= rowPx / lastPx.current;
    lastPx.current = rowPx;
  }, [virtualizer, scroller, rowPx]);
  const recordUse = useCallback((clientId: string) => void (used.current = clientId), []);
  return { virtualizer, recordUse };
};

/** One link per client, with the unread messages of all three rooms. */
export const ClientList = memo(
  ({
    teams,
    unread,
    lines,
    tall,
    filter,
    scroller,
  }: {
    readonly teams: readonly Team[];
    readonly unread: UnreadByRoom;
    readonly lines: Pick<Lines, 'ofClient'>;
    /** Rows have a line below the name. */
    readonly tall: boolean;
    /** Rows are about the rooms for which their clients are listed. */
    readonly filter: Filter;
    readonly scroller: RefObject<HTMLDivElement | null>;
  }) => {
    const clientId = useChatIds()?.clientId;
    const pinned = usePinned();
    const prepare = usePrepareClient();
    const counts = useMemo(() => sumByClient(unread), [unread]);
    const rowPx = tall ? TALL_ROW_PX : ROW_PX;
    const { virtualizer, recordUse } = useRows(teams, scroller, rowPx);
    const onUse = useCallback(
      (used: string, room: RoomKey | undefined): void => {
        recordUse(used);
        prepare(used, room);
      },
      [recordUse, prepare],
    );
    return (
      <ul className={classes['list']} style={{ height: teams.length * rowPx + HEAD_PX }}>
        {virtualizer.getVirtualItems().map(({ index }) => {
          const team = teams[index];
          return (
            team && (
              <li
                key={team.client_id}
                className={classes['item']}
                style={{ height: rowPx, transform: `translateY(${HEAD_PX + index * rowPx}px)` }}
                aria-setsize={teams.length}
                aria-posinset={index + 1}
              >
                <ClientLink
                  team={team}
                  unread={counts.get(team.client_id) ?? 0}
                  pinned={pinned?.has(team.client_id) === true}
                  current={team.client_id === clientId}
                  tall={tall}
                  onUse={onUse}
                  {...lines.ofClient(team, filter, unread)}
                />
              </li>
            )
          );
        })}
      </ul>
    );
  },
);
