import { expect, test } from 'vitest';

import { loginFormSchema } from '#domain/schemas/forms.ts';

const isAccepted = (email: string): boolean =>
  loginFormSchema.safeParse({ email, password: 'long enough' }).success;

test.each([
  'team@example.com',
  '  team@example.com ',
  'first.last+tag@mail.example.co.uk',
  'smith&co@example.com',
  'user/x@example.com',
  'a!b@example.com',
  'anna.müller@example.com',
  'иван@пример.рф',
  'ivan@xn--e1afmkfd.xn--p1ai',
])('accepts %s', (email) => {
  expect(isAccepted(email)).toBe(true);
});

test.each([
  'team',
  'team@',
  '@example.com',
  'team@example',
  'team@example.',
  'team@.com',
  'team@example..com',
  'team..one@example.com',
  '.team@example.com',
  'two words@example.com',
  'a@b@example.com',
  'Team <team@example.com>',
  'team@example.com, other@example.com',
])('refuses %s', (email) => {
  expect(isAccepted(email)).toBe(false);
});
