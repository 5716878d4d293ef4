import { hash, verify } from '@node-rs/argon2';

/** argon2id with the work of OWASP's password storage sheet: 19 MiB, 2 passes, 1 lane. */
const WORK = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The hash of a password as a self-describing `$argon2id$…` string. */
export const hashPassword = (password: string): Promise<string> => hash(password, WORK);

/** Also false for a stored value that is not an argon2 hash. */
export const isPassword = async (stored: string, password: string): Promise<boolean> => {
  try {
    return await verify(stored, password);
  } catch {
    return false;
  }
};
