import {
  OUTGOING_CLIENT_AVATAR,
  OUTGOING_CLIENT_NAME,
  type WirePayload,
} from '#domain/schemas/message.ts';

/** An own message as it goes over the wire (spec §5: fixed name, empty avatar). */
export const toPayload = (id: string, text: string): WirePayload => ({
  text,
  clientName: OUTGOING_CLIENT_NAME,
  clientAvatar: OUTGOING_CLIENT_AVATAR,
  id,
});
