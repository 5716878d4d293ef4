import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';

import { fail } from '#domain/result.ts';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import { withoutLayout } from './prepare-page.ts';

withoutLayout();

const NONE = 'You have no clients yet.';

const openWithoutClients = (path: string): void => {
  const page = createDeskPage();
  page.world.server.teams = [];
  page.open(path);
};

it.each(['/', '/dashboard'])('without any client, %s says so', async (path) => {
  openWithoutClients(path);
  await screen.findByText(NONE);
});

it('without any client, the chat says so in the list and beside it', async () => {
  openWithoutClients('/chat');
  await screen.findByRole('heading', { name: NONE });
  expect(screen.queryByRole('button', { name: 'Find a client' })).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: 'Expand clients' }));
  const clients = screen.getByRole('navigation', { name: 'Clients' });
  expect((await screen.findAllByText(NONE)).some((text) => clients.contains(text))).toBe(true);
});

it('clients that cannot be loaded are reported on the dashboard, which tries again', async () => {
  const page = createDeskPage();
  const { server } = page.world;
  const ask = server.ask.bind(server);
  let isBroken = true;
  server.ask = async (name, answer) =>
    name === 'teams' && isBroken ? fail({ kind: 'server', status: 503 }) : ask(name, answer);
  page.open('/dashboard');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Error loading clients');
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('radiogroup', { name: 'Period' });
});
