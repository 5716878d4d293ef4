/** True for a text that can be sent (spec §5); it is then sent unchanged. */
export const isSendableText = (text: string): boolean => text.trim() !== '';
