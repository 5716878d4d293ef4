import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { IconChecks } from '@tabler/icons-react';

import { useTeams } from '#db/hooks/use-stored.ts';
import { ok } from '#domain/result.ts';
import { ROUTES } from '#domain/routes.ts';
import { toDraftPreview } from '#domain/text/preview.ts';
import { useSession } from '#src/actors/actors.ts';
import { useConnection, useMessageCommands, useTeamsStatus } from '#src/actors/desk.ts';
import { FollowUpDialog } from '#src/chat/follow-up/follow-up-dialog.tsx';
import { type Subject, useFollowUp } from '#src/chat/follow-up/use-follow-up.ts';
import { isCurrent, useCurrency } from '#src/chat/inbox/use-currency.ts';
import { addToDraft, setDraft, toDraftKey } from '#src/drafts/drafts.ts';
import { Link } from '#src/ui/address.tsx';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';
import { useRestorePosition } from '#src/ui/restore-position.ts';
import { usePageTitle } from '#src/ui/page-title.ts';
import { showFailure } from '#src/ui/toasts/show-failure.ts';
import { showToast } from '#src/ui/toasts/toast-store.ts';
import { useNow } from '#src/ui/use-now.ts';
import { Loading } from '#src/ui/waiting.tsx';

import { CoverageLine } from './coverage.tsx';
import { EntryRow, toEntryName } from './entry-row.tsx';
import classes from './home.module.css';
import { HomeSection } from './home-section.tsx';
import { Reply } from './reply.tsx';
import { type Entry, joinOwnTexts, type OwnText, type Pinned } from './sections.ts';
import { isAtEntry, useEntryKeys } from './use-entry-keys.ts';
import { type Home, useHome } from './use-home.ts';

/** The greeting follows the time of day at most this late, ms. */
const GREETING_AGE_MS = 600_000;

const toGreeting = (now: number, name: string | null | undefined): string => {
  const hour = new Date(now).getHours();
  const part = hour < 5 || hour >= 18 ? 'evening' : hour < 12 ? 'morning' : 'afternoon';
  const first = name?.trim().split(/\s+/)[0];
  return `Good ${part}${first ? `, ${first}` : ''}`;
};

const Head = () => {
  const { user } = useSession();
  const now = useNow(GREETING_AGE_MS);
  return (
    <div className={classes['head']}>
      <h1 className={classes['title']}>{toGreeting(now, user?.name)}</h1>
      <Link to={ROUTES.chat} className={classes['chat'] ?? ''}>
        Open Chat
      </Link>
    </div>
  );
};

/** Without its chunk a spinner stays in its place. */
const ClientsFailed = lazyComponent(() => import('./clients-failed.tsx'), Loading);

const Quiet = ({
  isSure,
  hasClients,
}: {
  readonly isSure: boolean;
  readonly hasClients: boolean;
}) => (
  <div className={classes['quiet']}>
    <IconChecks className={classes['done']} size={22} stroke={1.8} aria-hidden />
    <p>
      {!hasClients
        ? 'You have no clients yet.'
        : isSure
          ? "You're all caught up. Nobody is waiting for you."
          : 'Nothing is waiting for you in the messages on this device.'}
    </p>
  </div>
);

/** Deletes the user's texts to a client who was removed; the toast can keep them as a draft. */
const useDeleteText = (): ((entry: Entry) => Promise<void>) => {
  const commands = useMessageCommands();
  const uid = useSession().user?.uid;
  return async ({ room, toCopy }) => {
    if (uid === undefined) return;
    const key = toDraftKey(uid, room);
    const deleted: OwnText[] = [];
    for (const own of toCopy) {
      if (own.id === undefined) setDraft(key, '');
      const discarded = own.id === undefined ? ok(undefined) : await commands.discard(own.id);
      showFailure(discarded);
      if (!discarded.ok) break;
      deleted.push(own);
    }
    if (deleted.length === 0) return;
    const text = joinOwnTexts(deleted);
    showToast('info', `Deleted: “${toDraftPreview(text).text}”`, {
      label: 'Undo',
      run: () => addToDraft(key, text),
    });
  };
};

/** The entry with the open reply field, and the focus before and after it. */
const useReply = (
  home: Home,
  root: RefObject<HTMLElement | null>,
  choose: (pinned: Pinned | undefined) => void,
) => {
  const { pinned } = home;
  const commands = useMessageCommands();
  const isOnline = useConnection().kind === 'online';
  const followUp = useFollowUp();
  const left = useRef<string | undefined>(undefined);
  const [said, setSaid] = useState('');
  const close = (): void => {
    left.current = pinned?.entry.id;
    choose(undefined);
  };
  const open = (id: string): void => {
    const section = home.sections?.find(({ entries }) => entries.some((entry) => entry.id === id));
    const index = section?.entries.findIndex((entry) => entry.id === id) ?? -1;
    const entry = section?.entries[index];
    if (section === undefined || entry === undefined || entry.toCopy.length > 0) return;
    choose({ entry, section: section.name, index });
    // The focus moves even if the field is already open.
    root.current?.querySelector('textarea')?.focus();
  };
  const toSubject = (entry: Entry): Subject | undefined =>
    entry.summary && {
      summary: entry.summary,
      roomName: toEntryName(entry),
      onHandled: () => {
        // The focus may have moved on before the mark was stored.
        if (isAtEntry(root.current, entry.id)) left.current = entry.id;
        home.onHandled(entry.room);
      },
      onUndone: () => home.onReopened(entry.room),
    };
  const handle = (entry: Entry): void => {
    const subject = toSubject(entry);
    if (subject !== undefined) followUp.done(subject);
  };
  const handleById = (id: string): void => {
    const entry = home.sections?.flatMap(({ entries }) => entries).find((one) => one.id === id);
    if (entry !== undefined) handle(entry);
  };
  const focusEntry = useEntryKeys(root, { onReply: open, onDone: handleById });
  useLayoutEffect(() => {
    if (pinned !== undefined || left.current === undefined) return;
    focusEntry(left.current);
    left.current = undefined;
  }, [pinned, focusEntry]);
  const onSent = (): void => {
    if (pinned === undefined) return;
    const { entry } = pinned;
    // The reminder may be set to a later time meanwhile, or be in no section that is shown.
    const subject = toSubject({ ...entry, summary: home.findDue(entry.room) });
    if (subject !== undefined) followUp.forgetReminder(subject);
    // Its last messages are shown above the field.
    void commands.markRead(new Map([[entry.room, undefined]]));
    const roomName = toEntryName(entry);
    setSaid(
      isOnline ? `Sending to ${roomName}.` : `Will be sent to ${roomName} when you're online.`,
    );
    home.onHandled(entry.room, { isAnswered: true });
    close();
  };
  return { open, close, handle, toSubject, onSent, said };
};

/** Home: what the user has to do, by urgency, and the rooms used last. */
const HomePage = () => {
  usePageTitle(undefined);
  const { user } = useSession();
  const commands = useMessageCommands();
  const root = useRef<HTMLDivElement>(null);
  const [pinned, setPinned] = useState<Pinned | undefined>();
  /** The subject of the open dialog, which stays even if its entry leaves. */
  const [asking, setAsking] = useState<Subject | undefined>();
  const teams = useTeams();
  const isFailed = useTeamsStatus().state === 'error' && teams === undefined;
  const currency = useCurrency(teams);
  const home = useHome(pinned);
  const isShown = home.sections !== undefined;
  useRestorePosition(root, user?.uid, { extent: home.expanded, isShown });
  const { open, close, handle, toSubject, onSent, said } = useReply(home, root, setPinned);
  const deleteText = useDeleteText();
  const onRetry = (ids: readonly string[]): void => {
    for (const id of ids) void commands.retry(id).then(showFailure);
  };
  return (
    <div ref={root} tabIndex={-1} className={classes['root']}>
      <Head />
      <p role="status" className="visually-hidden">
        {said}
      </p>
      {teams !== undefined && <CoverageLine currency={currency} />}
      {home.sections === undefined && (isFailed ? <ClientsFailed /> : <Loading />)}
      {home.isQuiet && <Quiet isSure={isCurrent(currency)} hasClients={teams?.length !== 0} />}
      {home.sections?.map((section) => (
        <HomeSection
          key={section.name}
          section={section}
          isExpanded={home.expanded.has(section.name)}
          onToggle={() => home.toggle(section.name)}
        >
          {(entry) => {
            const isOpen = entry.id === pinned?.entry.id;
            return (
              <EntryRow
                key={entry.id}
                entry={entry}
                isOpen={isOpen}
                onReply={isOpen ? close : open}
                onRetry={onRetry}
                onDelete={(chosen) => void deleteText(chosen)}
                onDone={handle}
                onFollowUp={(chosen) => setAsking(toSubject(chosen))}
              >
                {user !== undefined && (
                  <Reply entry={entry} user={user} onSent={onSent} onClose={close} />
                )}
              </EntryRow>
            );
          }}
        </HomeSection>
      ))}
      {asking !== undefined && (
        <FollowUpDialog subject={asking} onClose={() => setAsking(undefined)} />
      )}
    </div>
  );
};

export default HomePage;
