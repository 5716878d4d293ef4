import * as z from 'zod/mini';

import { minuteSchema } from './notification.ts';

const WEEK_DAYS = 7;
const weekdaySchema = z
  .number()
  .check(z.refine((value) => Number.isInteger(value) && value >= 0 && value < WEEK_DAYS));

/** The hours in which clients are answered: local time, the same on each of some weekdays. */
export const businessHoursSchema = z
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

/** How the user looks at the dashboard. */
export const dashboardChoiceSchema = z.object({
  days: z.literal(PERIODS),
  /** The hours chosen last. */
  hours: businessHoursSchema,
  /** Waiting times leave out what lies outside of the hours. */
  isWithinHours: z.boolean(),
});
export type DashboardChoice = z.infer<typeof dashboardChoiceSchema>;

/** Nine to six from Monday to Friday, and not applied. */
export const FIRST_DASHBOARD_CHOICE: DashboardChoice = {
  days: 7,
  hours: { from: 9 * 60, to: 18 * 60, weekdays: [1, 2, 3, 4, 5] },
  isWithinHours: false,
};
