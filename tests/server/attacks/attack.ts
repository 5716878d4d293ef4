import type { Target } from './target.ts';

/** One attack on the running server. */
export interface Attack {
  /** What is tried. */
  readonly title: string;
  /** Carries it out over HTTP; the value is what came of it. */
  readonly attempt: (target: Target) => Promise<unknown>;
  /** What must come of it; matched as `toEqual` does. */
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

/** Forms that speak for themselves, named as they are written. */
export const named = <Form>(forms: readonly Form[]): readonly (readonly [string, Form])[] =>
  forms.map((form) => [JSON.stringify(form).slice(0, 80), form]);

/** The same attacks, their titles following common words. */
export const under = (words: string, attacks: readonly Attack[]): readonly Attack[] =>
  attacks.map(({ title, attempt, outcome }) => ({ title: `${words} ${title}`, attempt, outcome }));
