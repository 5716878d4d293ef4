import { type Balancer, startBalancer } from '../services/balancer.ts';
import { startHostedEngine } from './hosted-scene.ts';
import { answerJson, startProductApi } from '../services/product-api.ts';
import type { PubnubEndpoint } from '../pubnub/endpoint.ts';
import { type ServerProcess, startServer } from '../process/server-process.ts';
import type { User } from '../browser/user.ts';

const UPSTREAM_TOKEN = 'upstream-token-of-the-tests';
const CLIENTS = [
  { client_id: 'c_001', client: { first_name: 'Maya', last_name: 'Okafor' } },
  { client_id: 'c_002', client: { first_name: 'Søren', last_name: 'Kjærgaard' } },
];

/** Fully hosted mode: two stateless servers behind a balancer, whose address people open. */
export interface InstancesScene {
  readonly balancer: Balancer;
  readonly endpoint: PubnubEndpoint;
  readonly instances: readonly ServerProcess[];
  /** Signs a user of the product API in through the form; the uid is the part before the @. */
  signIn(user: User, email: string, path: string): Promise<void>;
  /** Whether the product API accepts the tokens it issued, or answers 401. */
  honourUpstreamTokens(isHonoured: boolean): void;
  /** Stops the product API, or starts it again; everything else keeps running. */
  stopProductApi(isStopped: boolean): void;
  dispose(): Promise<void>;
}

/** A product API with every user, which returns its lists only with its token. */
const startStaffApi = async () => {
  const api = await startProductApi();
  let isHonoured = true;
  let isStopped = false;
  api.answer = (incoming, outgoing) => {
    if (isStopped) {
      incoming.destroy();
      return;
    }
    if (incoming.method === 'POST') {
      const { email } = JSON.parse(api.received.at(-1)?.body ?? '') as { readonly email: string };
      const user = { uid: email.replace(/@.*/, ''), name: email };
      answerJson({ user, token: UPSTREAM_TOKEN })(incoming, outgoing);
      return;
    }
    const isKnown = isHonoured && incoming.headers.authorization === `Bearer ${UPSTREAM_TOKEN}`;
    const list = incoming.url?.endsWith('/teams') ? CLIENTS : [];
    answerJson(isKnown ? list : { error: 'no' }, isKnown ? 200 : 401)(incoming, outgoing);
  };
  return {
    ...api,
    honour: (value: boolean) => (isHonoured = value),
    stop: (value: boolean) => (isStopped = value),
  };
};

export const startInstancesScene = async (): Promise<InstancesScene> => {
  const api = await startStaffApi();
  const { endpoint, env } = await startHostedEngine();
  const balancer = await startBalancer();
  const settings = {
    ...env,
    DEMO: 'false',
    API_BASE_URL: api.url,
    AUTH_SECRET: 'the secret that all instances share',
    PUBLIC_URL: balancer.address,
  };
  const instances = await Promise.all([startServer(settings), startServer(settings)]);
  balancer.aim(instances.map(({ address }) => address));
  return {
    balancer,
    endpoint,
    instances,
    signIn: async (user, email, path) => {
      await user.visit(path);
      const page = user.page();
      await page.getByRole('textbox', { name: 'Email' }).fill(email);
      await page.getByLabel('Password', { exact: true }).fill('secret');
      await page.getByRole('button', { name: 'Sign In' }).click();
      await page.waitForURL((url) => url.pathname === path);
    },
    honourUpstreamTokens: (isHonoured) => void api.honour(isHonoured),
    stopProductApi: (isStopped) => void api.stop(isStopped),
    dispose: async () => {
      await Promise.all(instances.map((instance) => instance.dispose()));
      await balancer.close();
      await endpoint.close();
      await api.close();
    },
  };
};
