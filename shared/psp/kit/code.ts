/**
 * Passes on only words that look like a provider's code: nothing from a message, and no digits that could be a card
 * number.
 */
export const codeLike = (text: string | null | undefined, form: RegExp): string | null =>
  text && form.test(text) && !/\d{9}/.test(text) ? text : null;
