import * as z from 'zod/mini';

import { type Choices, CHOSEN, toMarkKey, toSwitchValue } from './marks.ts';
import { minuteSchema } from './notification.ts';

const WEEK_DAYS = 7;
const weekdaySchema = z
  .number()
  .check(z.refine((value) => Number.isInteger(value) && value >= 0 && value < WEEK_DAYS));

/** The hours in which clients are answered: local time, the same on each of some weekdays. */
const businessHoursSchema = z
  .object({
    /** Minutes since midnight; `to` is excluded. */
    from: minuteSchema,
    to: minuteSchema,
    /** 0 is Sunday. */
    weekdays: z.array(weekdaySchema),
  })
  .check(z.refine(({ from, to }) => from < to));
export type BusinessHours = z.infer<typeof businessHoursSchema>;

/** How many days the dashboard covers, today included. */
export const PERIODS = [7, 30] as const;
export type PeriodDays = (typeof PERIODS)[number];

/**
 * The user's dashboard settings: the hours are shared by all of the user's devices
 * (`toHoursChoices`), the period applies to one.
 */
export const dashboardChoiceSchema = z.object({
  days: z.literal(PERIODS),
  /** The most recently chosen hours. */
  hours: businessHoursSchema,
  /** Waiting times exclude the time outside these hours. */
  isWithinHours: z.boolean(),
});
export type DashboardChoice = z.infer<typeof dashboardChoiceSchema>;

/** Nine to six from Monday to Friday, and not applied. */
export const FIRST_DASHBOARD_CHOICE: DashboardChoice = {
  days: 7,
  hours: { from: 9 * 60, to: 18 * 60, weekdays: [1, 2, 3, 4, 5] },
  isWithinHours: false,
};

const HOURS = toMarkKey('setting', 'hours');
const IS_WITHIN = toMarkKey('setting', 'hours-only');

/** "540.1080.12345" for nine to six from Monday to Friday. */
const toHoursValue = ({ from, to, weekdays }: BusinessHours): string =>
  `${from}.${to}.${weekdays.toSorted((a, b) => a - b).join('')}`;

const FIRST_HOURS = toHoursValue(FIRST_DASHBOARD_CHOICE.hours);

const parseHours = (value = ''): BusinessHours | undefined => {
  const [from, to, days = ''] = value.split('.');
  const weekdays = Array.from(days, Number);
  return businessHoursSchema.safeParse({ from: Number(from), to: Number(to), weekdays }).data;
};

/** The part of a choice that all devices of the user share. */
export const toHoursChoices = (choice: DashboardChoice): Choices => {
  const value = toHoursValue(choice.hours);
  return new Map([
    [HOURS, value === FIRST_HOURS ? '' : value],
    [IS_WITHIN, toSwitchValue(choice.isWithinHours)],
  ]);
};

/** The inverse of `toHoursChoices`; unreadable hours count as the default ones. */
export const parseHoursChoices = (
  choices: Choices,
): Pick<DashboardChoice, 'hours' | 'isWithinHours'> => ({
  hours: parseHours(choices.get(HOURS)) ?? FIRST_DASHBOARD_CHOICE.hours,
  isWithinHours: choices.get(IS_WITHIN) === CHOSEN,
});
