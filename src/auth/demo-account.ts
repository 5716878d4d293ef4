import type { LoginForm } from '#domain/schemas/forms.ts';

/** The demo producer (contract §4), offered by the form in demo and development only. */
export const DEMO_ACCOUNT: LoginForm = { email: 'producer@example.com', password: 'producer' };

export const EMPTY_ACCOUNT: LoginForm = { email: '', password: '' };
