import { statSync } from 'node:fs';

/**
 * Throws once the file is not the one it was: deleted or put in place of under the running
 * server. SQLite would go on writing into the old one, which ends with the process.
 */
export const watchFile = (file: string): (() => void) => {
  const { dev, ino } = statSync(file);
  return () => {
    const present = statSync(file, { throwIfNoEntry: false });
    if (present?.dev !== dev || present.ino !== ino) {
      throw new Error(`${file} is gone or another file: nothing is stored until a restart`);
    }
  };
};
