import 'fake-indexeddb/auto';

import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';

import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

afterEach(cleanup);

const findFields = async () => ({
  email: await screen.findByRole<HTMLInputElement>('textbox', { name: 'Email' }),
  password: await screen.findByLabelText<HTMLInputElement>('Password'),
  submit: await screen.findByRole('button', { name: 'Sign In' }),
});

describe('signing in', () => {
  it('validates a field once it was touched, with the texts of the spec', async () => {
    const user = userEvent.setup();
    createDeskPage({ signedIn: false }).open('/login');
    const { email, password } = await findFields();
    expect(screen.queryByText('Required')).toBeNull();
    await user.click(email);
    await user.tab();
    await screen.findByText('Required');
    await user.type(email, 'nobody');
    await screen.findByText('Enter a valid email');
    await user.type(password, '1234');
    await user.tab();
    await screen.findByText('Must be at least 5 characters');
    expect(email.getAttribute('aria-invalid')).toBe('true');
  });

  it('reads out the error of a field, and nothing once it is valid', async () => {
    const user = userEvent.setup();
    createDeskPage({ signedIn: false }).open('/login');
    const { email, password, submit } = await findFields();
    await user.type(email, 'nobody');
    await user.click(submit);
    const toComplaint = (field: HTMLElement): string | undefined =>
      document.querySelector(`[id="${field.getAttribute('aria-describedby')}"]`)?.textContent;
    await waitFor(() => expect(toComplaint(email)).toBe('Enter a valid email'));
    expect(toComplaint(password)).toBe('Required');
    expect(document.activeElement).toBe(email);
    await user.type(email, '@example.com');
    await waitFor(() => expect(email.getAttribute('aria-invalid')).toBe('false'));
    expect(email.getAttribute('aria-describedby')).toBeNull();
    expect(toComplaint(password)).toBe('Required');
  });

  it('shows the password on demand and leaves the focus where it is', async () => {
    const user = userEvent.setup();
    createDeskPage({ signedIn: false }).open('/login');
    const { password } = await findFields();
    await user.type(password, '1234');
    const show = screen.getByRole('button', { name: 'Show password' });
    await user.click(show);
    expect([password.type, show.getAttribute('aria-pressed')]).toEqual(['text', 'true']);
    expect([document.activeElement, password.value]).toEqual([password, '1234']);
    // Nobody has left the field yet.
    expect(screen.queryByText('Must be at least 5 characters')).toBeNull();
    await user.click(show);
    expect([password.type, show.getAttribute('aria-pressed')]).toEqual(['password', 'false']);
  });

  it('shows the banner after a refusal and keeps the fields', async () => {
    const user = userEvent.setup();
    const page = createDeskPage({ signedIn: false });
    page.open('/login');
    const { email, password, submit } = await findFields();
    await user.type(email, 'nobody@example.com');
    await user.type(password, 'not-the-password');
    page.world.server.failure = { kind: 'credentials' };
    await user.click(submit);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Error occurred!');
    expect(alert.textContent).toContain('An error occurred!');
    expect(email.value).toBe('nobody@example.com');
  });

  it('starts over after a session: with the focus on Email, and without an old error', async () => {
    const user = userEvent.setup();
    const page = createDeskPage({ signedIn: false });
    page.open('/login');
    const { email, password, submit } = await findFields();
    await user.type(email, 'nobody@example.com');
    await user.type(password, 'not-the-password');
    page.world.server.failure = { kind: 'credentials' };
    await user.click(submit);
    await screen.findByRole('alert');
    expect(document.activeElement).toBe(password);
    page.world.server.failure = undefined;
    act(() => page.signElsewhere('in'));
    await waitFor(() => expect(window.location.pathname).toBe('/'));
    act(() => page.signElsewhere('out'));
    const again = await findFields();
    await waitFor(() => expect(document.activeElement).toBe(again.email));
    expect(screen.queryByRole('alert')).toBeNull();
    await user.click(again.submit);
    await screen.findAllByText('Required');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('gives instructions if the browser drops the session cookie, and allows a retry', async () => {
    const user = userEvent.setup();
    const page = createDeskPage({ signedIn: false });
    page.open('/login');
    const { email, password, submit } = await findFields();
    await user.type(email, 'jonas@example.com');
    await user.type(password, 'password');
    await user.click(submit);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Allow cookies for this site, then sign in again.');
    expect(submit.dataset['loading']).toBeUndefined();
    act(() => page.signElsewhere('in'));
    await waitFor(() => expect(window.location.pathname).toBe('/'));
  });

  it('is prefilled in a demo only, and never overwrites input', async () => {
    createDeskPage({ signedIn: false, demo: true }).open('/login');
    const { email, password } = await findFields();
    await waitFor(() => expect(email.value).toBe('producer@example.com'));
    expect(password.value).toBe('producer');
    cleanup();
    createDeskPage({ signedIn: false }).open('/login');
    expect((await findFields()).email.value).toBe('');
  });

  it('does not overwrite input when the settings arrive', async () => {
    const settings = Promise.withResolvers<void>();
    createDeskPage({ signedIn: false, demo: true, settingsHeld: settings.promise }).open('/login');
    const { email, password } = await findFields();
    fireEvent.input(email, { target: { value: 'j' } });
    await act(async () => settings.resolve());
    expect([email.value, password.value]).toEqual(['j', '']);
  });

  it('is required for a protected page, and remembers that page', async () => {
    createDeskPage({ signedIn: false }).open('/chat/c_001/team');
    await findFields();
    const query = new URLSearchParams(window.location.search);
    expect(query.get('error')).toBe('SessionRequired');
    expect(query.get('callbackUrl')).toBe(`${window.location.origin}/chat/c_001/team`);
  });

  it('continues to the page of this visit, not of an earlier one', async () => {
    const user = userEvent.setup();
    const page = createDeskPage({ signedIn: false });
    page.open('/login?callbackUrl=%2Fdeliveries');
    const { email, password, submit } = await findFields();
    await user.type(email, 'jonas@example.com');
    await user.type(password, 'password');
    await user.click(submit);
    act(() => page.signElsewhere('in'));
    await waitFor(() => expect(window.location.pathname).toBe('/deliveries'));
    await user.click(await screen.findByRole('link', { name: 'Videos' }));
    act(() => page.signElsewhere('out'));
    await findFields();
    expect(window.location.search).toContain('%2Fvideos');
    act(() => page.signElsewhere('in'));
    await waitFor(() => expect(window.location.pathname).toBe('/videos'));
  });
});
