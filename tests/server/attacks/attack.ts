import type { Target } from './target.ts';

/** One attack on the running server. */
export interface Attack {
  /** The attempt, as a title. */
  readonly title: string;
  /** Performs it over HTTP; the value is the outcome. */
  readonly attempt: (target: Target) => Promise<unknown>;
  /** The expected outcome; matched as `toEqual` does. */
  readonly outcome: unknown;
}

/** The same attempt in many forms. */
export const inForms = <Form>(
  forms: readonly (readonly [title: string, form: Form])[],
  attempt: (target: Target, form: Form) => Promise<unknown>,
  outcome: unknown,
): readonly Attack[] =>
  forms.map(([title, form]) => ({
    title,
    attempt: (target) => attempt(target, form),
    outcome,
  }));

/** Variants named by their own text. */
export const named = <Form>(forms: readonly Form[]): readonly (readonly [string, Form])[] =>
  forms.map((form) => [JSON.stringify(form).slice(0, 80), form]);

/** The same attacks with a common prefix in their titles. */
export const under = (words: string, attacks: readonly Attack[]): readonly Attack[] =>
  attacks.map(({ title, attempt, outcome }) => ({ title: `${words} ${title}`, attempt, outcome }));
