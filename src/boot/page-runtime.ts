import { type ActorRefFrom, createActor } from 'xstate';

import { SESSION_ID } from '#machines/kit/revalidate-session.ts';
import { createAppMachine } from '#machines/app/app.machine.ts';
import { selectSending } from '#machines/leader/view.ts';
import { type createSessionMachine, selectSession } from '#machines/session/session.machine.ts';
import type { SessionSignal } from '#machines/session/session-setup.ts';

import { clearDrafts, hasDrafts } from '#src/drafts/drafts.ts';
import { closeToasts } from '#src/ui/toasts/toast-store.ts';
import { contentShown } from '#src/ui/deferred/content-shown.ts';

import { composePorts, type PagePorts } from './compose-ports.ts';
import { loadDeskPart } from './load-desk-part.ts';
import { DraftKeeper } from '#src/drafts/draft-keeper.ts';
import type { PageWorkSources } from './page-work.ts';
import { guardReloads } from './throttled-reload.ts';
import { watchConfig } from './watch-config.ts';

/** Everything that runs as long as the page does. */
export interface PageRuntime {
  readonly ports: PagePorts;
  readonly app: AppActor;
  /** The work that a reload of this tab would interrupt. */
  readonly work: PageWorkSources;
  /** Signals the session about events outside it. */
  readonly signalSession: (signal: SessionSignal) => void;
}

type AppActor = ActorRefFrom<ReturnType<typeof createAppMachine>>;
type SessionActor = ActorRefFrom<ReturnType<typeof createSessionMachine>>;

/** Whether a sign-out is in progress, which a reload would lose. */
const isLeaving = (app: AppActor): boolean => {
  const logout = app.getSnapshot().children.logout?.getSnapshot();
  return logout !== undefined && !logout.matches('idle') && !logout.matches('failed');
};

const isSending = (app: AppActor): boolean => {
  const leader = app.getSnapshot().context.desk?.getSnapshot().context.leader;
  return selectSending(leader?.getSnapshot().children.outbox?.getSnapshot()).size > 0;
};

/** The work of a leading tab, and kept messages, are not needed before the content of the page. */
const loadLate = async (ports: PagePorts) => {
  await contentShown();
  return (await import('./late-machines.ts')).createLateMachines(ports);
};

/** The machines of the signed-in part, in the chunk of the signed-in pages. */
const loadDeskMachine = loadDeskPart(() => import('#machines/app/desk.machine.ts'));

const loadDesk = async (ports: PagePorts) =>
  (await loadDeskMachine()).createDeskMachine(ports, () => loadLate(ports));

/** Starts the actors of this page, on its real ports unless others are given. */
export const createPageRuntime = (ports: PagePorts = composePorts()): PageRuntime => {
  const drafts = new DraftKeeper(ports);
  const deskPorts = { ...ports, openStore: drafts.openStore };
  const app = createActor(createAppMachine(deskPorts, () => loadDesk(deskPorts)));
  const work: PageWorkSources = {
    isSending: () => isLeaving(app) || isSending(app),
    hasDrafts,
    isHolding: () => ports.engineUser.store?.database.space.view.isFull === true,
    keepDrafts: drafts.keep,
  };
  const prepareReload = async () => !isLeaving(app) && (await drafts.keep());
  ports.engineUser.prepareReload = prepareReload;
  guardReloads(async (reload) => (await prepareReload()) && reload());
  const signalSession = (signal: SessionSignal): void => {
    app.system.get(SESSION_ID)?.send(signal);
  };
  // Requested before the screens and the stream, which wait for it.
  watchConfig(ports, ({ sessionPollSeconds: seconds = 0 }) => {
    if (seconds > 0) signalSession({ type: 'poll.configured', seconds });
  });
  app.start();
  const session: SessionActor | undefined = app.system.get(SESSION_ID);
  let shownUid: string | undefined;
  let authorUid: string | undefined;
  session?.subscribe((snapshot) => {
    const { signedOut, user } = selectSession(snapshot);
    const uid = user?.uid;
    // Toasts may name clients, and Undo is only for the user who acted.
    if (uid !== shownUid) closeToasts();
    shownUid = uid;
    // Drafts wait for their author, unless they sign out or another user signs in.
    const isOther = uid !== undefined && authorUid !== undefined && uid !== authorUid;
    if (signedOut || isOther) clearDrafts();
    authorUid = uid ?? authorUid;
  });
  return { ports, app, work, signalSession };
};
