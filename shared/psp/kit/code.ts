/** Only words that look like a provider's codes are passed on: nothing that a message could carry, and no run of digits that could be a card's. */
export const codeLike = (text: string | null | undefined, form: RegExp): string | null => (text && form.test(text) && !/\d{9}/.test(text) ? text : null);
