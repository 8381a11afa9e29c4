/** Paystack takes letters, digits and `- . =` in a reference; our ids have one underscore. */
export const toReference = (id: string): string => id.replaceAll('_', '-');

/** The attempt of a reference; undefined if it is not ours. */
export const attemptOf = (reference: string): string | undefined =>
  /^att-[0-9a-z]{26}$/.test(reference) ? reference.replace('-', '_') : undefined;

/** Our refund's id, where a note is one. */
export const refundOf = (note: string): string | undefined =>
  /^re-[0-9a-z]{26}$/.test(note) ? note.replace('-', '_') : undefined;
