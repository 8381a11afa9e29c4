/** Codes as people type them: with commas, spaces or both between. */
export const codesIn = (text: string): readonly string[] => [...new Set(text.split(/[\s,;]+/).filter(Boolean))];

export const countriesIn = (text: string): readonly string[] => codesIn(text.toUpperCase());

export const isCountry = (code: string): boolean => /^[A-Z]{2}$/.test(code);

/** What is wrong with a list of countries, if anything. */
export function countriesError(text: string): string | undefined {
  const wrong = countriesIn(text).find((code) => !isCountry(code));
  return wrong === undefined ? undefined : `${wrong} is no country code. Codes have two letters, such as DE.`;
}

export const METHODS = [
  'card',
  'ideal',
  'bancontact',
  'paypal',
  'bank_transfer',
  'mobile_money',
  'upi',
  'klarna',
] as const;
