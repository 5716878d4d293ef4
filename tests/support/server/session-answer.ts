import { type Session, sessionAnswerSchema, sessionSchema } from '#domain/schemas/session.ts';

/** The session in a response, undefined for none; throws for any other value. */
export const parseSessionAnswer = (value: unknown): Session | undefined => {
  sessionAnswerSchema.parse(value);
  return sessionSchema.safeParse(value).data;
};
