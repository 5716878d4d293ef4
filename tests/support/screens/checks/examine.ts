import { startFaultyServer } from '#tests/support/scenes/faulty-server.ts';

import { findViolations } from './axe.ts';
import { findUnusable } from './controls.ts';
import { type Device, DESKTOP_DEVICE, PHONE_DEVICE, setColorScheme, setDevice } from '../device.ts';
import { type Screen, type Stage, visitScreens } from '../screen.ts';

type Faults = Record<string, readonly string[]>;

/** A desktop's window at 200 % zoom. */
const ZOOMED: Device = { ...DESKTOP_DEVICE, name: '200 % zoom', width: 720, height: 450 };
const NARROW: Device = { ...PHONE_DEVICE, name: '320 px wide', width: 320, height: 640 };

const examineScreen = async ({ user }: Stage, device: Device, smaller: Device): Promise<Faults> => {
  const page = user.page();
  await setDevice(page, device);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await setColorScheme(page, 'light');
  const light = await findViolations(page, 'all');
  await setColorScheme(page, 'dark');
  const dark = await findViolations(page, 'colours');
  const usable = await findUnusable(page, device);
  await setDevice(page, smaller);
  const shape = [...(await findViolations(page, 'shape')), ...(await findUnusable(page, smaller))];
  const { name } = device;
  return {
    [`${name}, light`]: light,
    [`${name}, dark`]: dark,
    [`${name}, to use`]: usable,
    [smaller.name]: shape,
  };
};

const toVisit = (path: string, { name }: Device): string => `${path} on ${name}`;

/**
 * The faults of screens on a desktop and on a phone, at 200 % zoom and 320 px wide; by screen,
 * empty without any. An address of `paths` that was not examined on both also counts as a fault.
 */
export const examineScreens = async (
  screens: readonly Screen[],
  paths: readonly string[] = [],
): Promise<Readonly<Record<string, Faults>>> => {
  const backend = await startFaultyServer();
  const faults: Record<string, Faults> = {};
  const seen = new Set<string>();
  const examine = (stage: Stage, device: Device, smaller: Device): Promise<Faults> => {
    seen.add(toVisit(stage.user.path(), device));
    return examineScreen(stage, device, smaller);
  };
  const note = (name: string, found: Faults): void => {
    const bad = Object.entries(found).filter(([, list]) => list.length > 0);
    if (bad.length > 0) faults[name] = { ...faults[name], ...Object.fromEntries(bad) };
  };
  try {
    const problems = [
      ...(await visitScreens(
        backend,
        DESKTOP_DEVICE,
        screens,
        async ({ name, only, anew }, stage) => {
          note(name, await examine(stage, DESKTOP_DEVICE, ZOOMED));
          if (anew || only !== undefined) return;
          note(name, await examine(stage, PHONE_DEVICE, NARROW));
        },
      )),
      ...(await visitScreens(
        backend,
        PHONE_DEVICE,
        screens.filter(({ anew, only }) => anew || only?.includes('phone')),
        async ({ name }, stage) => note(name, await examine(stage, PHONE_DEVICE, NARROW)),
      )),
    ];
    note('reported by the browser', { problems });
    const visits = paths.flatMap((path) =>
      [DESKTOP_DEVICE, PHONE_DEVICE].map((device) => toVisit(path, device)),
    );
    note('not examined', { visits: visits.filter((visit) => !seen.has(visit)) });
  } finally {
    await backend.dispose();
  }
  return faults;
};
