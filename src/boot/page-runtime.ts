import { type ActorRefFrom, createActor } from 'xstate';

import { SESSION_ID } from '#machines/kit/revalidate-session.ts';
import { createLoginMachine } from '#machines/session/login.machine.ts';
import { createAppMachine } from '#machines/app/app.machine.ts';
import { selectSending } from '#machines/leader/view.ts';
import { createUpdateMachine } from '#machines/app/update.machine.ts';
import { type createSessionMachine, selectSession } from '#machines/session/session.machine.ts';
import type { SessionSignal } from '#machines/session/session-setup.ts';

import { clearDrafts, hasDrafts } from '#src/drafts/drafts.ts';
import { contentShown } from '#src/ui/content-shown.ts';

import { composePorts, type PagePorts } from './compose-ports.ts';
import { DraftKeeper } from '#src/drafts/draft-keeper.ts';
import { createPageWork, isFilledIn } from './page-work.ts';

/** Everything that runs as long as the page does. */
export interface PageRuntime {
  readonly ports: PagePorts;
  readonly app: AppActor;
  readonly login: ActorRefFrom<ReturnType<typeof createLoginMachine>>;
  readonly update: ActorRefFrom<ReturnType<typeof createUpdateMachine>>;
  /** Stores the drafts of this tab; false if that is not possible. */
  readonly keepDrafts: () => Promise<boolean>;
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

/**
 * Requests the session once a sign-in was accepted. If there is none, the browser stored no
 * cookie, or another instance cannot decrypt it; the form then reports that.
 */
const followSignIn = (login: PageRuntime['login'], session: SessionActor | undefined): void => {
  let isAwaited = false;
  login.subscribe((snapshot) => {
    if (!snapshot.matches('done')) return;
    isAwaited = true;
    session?.send({ type: 'session.changed' });
  });
  session?.subscribe((snapshot) => {
    if (!isAwaited || !snapshot.matches({ inquiry: 'resting' })) return;
    isAwaited = false;
    if (selectSession(snapshot).status === 'unauthenticated')
      login.send({ type: 'session.missing' });
  });
};

/** Nothing that a tab does once it leads is needed before the content of its page. */
const loadLeader = async (ports: PagePorts) => {
  await contentShown();
  return (await import('#machines/leader/leader.machine.ts')).createLeaderMachine(ports);
};

/** The desk's machines load together with the signed-in pages. */
const loadDesk = async (ports: PagePorts) =>
  (await import('#machines/app/desk.machine.ts')).createDeskMachine(ports, () => loadLeader(ports));

/** Starts the actors of this page, on its real ports unless others are given. */
export const createPageRuntime = (ports: PagePorts = composePorts()): PageRuntime => {
  const drafts = new DraftKeeper(ports);
  const deskPorts = { ...ports, openStore: drafts.openStore };
  const app = createActor(createAppMachine(deskPorts, () => loadDesk(deskPorts)));
  const login = createActor(createLoginMachine(ports));
  const isBusy = (): boolean => isLeaving(app) || isSending(app);
  const isTyping = (): boolean => hasDrafts() || isFilledIn(document.activeElement);
  const isHolding = (): boolean => ports.engineUser.store?.database.space.view.isFull === true;
  const keepDrafts = drafts.keep;
  const update = createActor(
    createUpdateMachine(
      ports,
      createPageWork({ isSending: isBusy, isTyping, isHolding, keepDrafts }),
    ),
  );
  ports.engineUser.prepareReload = async () => !isLeaving(app) && (await keepDrafts());
  const signalSession = (signal: SessionSignal): void => {
    app.system.get(SESSION_ID)?.send(signal);
  };
  // Requested before the screens and the stream, which wait for it.
  const askConfig = async (): Promise<void> => {
    const config = await ports.publicConfig.get();
    const seconds = config.ok ? (config.value.sessionPollSeconds ?? 0) : 0;
    if (seconds > 0) signalSession({ type: 'poll.configured', seconds });
  };
  void askConfig();
  app.start();
  const session: SessionActor | undefined = app.system.get(SESSION_ID);
  followSignIn(login, session);
  // Drafts go with their author, whether they signed out or another user signed in.
  let typist: string | undefined;
  session?.subscribe((snapshot) => {
    const { left, user } = selectSession(snapshot);
    const isOther = user !== undefined && typist !== undefined && user.uid !== typist;
    if (left || isOther) clearDrafts();
    typist = user?.uid ?? typist;
  });
  login.start();
  update.start();
  return { ports, app, login, update, keepDrafts, signalSession };
};
