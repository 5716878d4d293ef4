/** True for text worth sending (spec §5); it is then sent as it was written. */
export const isSendableText = (text: string): boolean => text.trim() !== '';
