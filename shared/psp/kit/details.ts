import type { PaymentDetails } from '#shared/domain/payments/payment-details.model.ts';
import { truncate } from '#shared/kernel/text.ts';

/** Drops undefined fields, and returns undefined for an object without any other. Nested objects are not entered. */
export function nonEmpty<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } | undefined {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return known.length > 0 ? (Object.fromEntries(known) as { [K in keyof T]: Exclude<T[K], undefined> }) : undefined;
}

/** A text of at most `max` UTF-16 units, never cut within a character; undefined for a blank one. */
export function cut(text: string | undefined, max: number): string | undefined {
  return truncate(text?.trim() ?? '', max).trimEnd() || undefined;
}

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  þ: 'th',
};

/** Letters without their accents; what has no such letter is dropped. Statements and old systems know no others. */
const toAscii = (text: string): string =>
  [...text.normalize('NFKD')]
    .map((each) => LETTERS[each] ?? each)
    .join('')
    .replaceAll(/[^\x20-\x7e]/g, '');

/**
 * What a statement shows, by a PSP's rules: the characters that it refuses are dropped. Undefined if it is shorter than
 * the PSP takes.
 */
export function statementText(
  text: string | undefined,
  { max, min = 1, refused }: { readonly max: number; readonly min?: number; readonly refused: RegExp },
): string | undefined {
  const clean = toAscii(text ?? '')
    .replaceAll(refused, '')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  const short = cut(clean, max) ?? '';
  return short.length >= min ? short : undefined;
}

/** The whole text of a statement, for PSPs without a suffix of their own. */
export const statementOf = ({
  statement_descriptor,
  statement_descriptor_suffix,
}: PaymentDetails): string | undefined =>
  [statement_descriptor, statement_descriptor_suffix].filter(Boolean).join(' ') || undefined;

/** A first name and the rest. One word alone is the last name. */
export function splitName(name: string | undefined): { readonly first?: string; readonly last?: string } {
  const words = name?.trim().split(/\s+/).filter(Boolean) ?? [];
  const [first = '', ...rest] = words;
  if (first === '') return {};
  return rest.length === 0 ? { last: first } : { first, last: rest.join(' ') };
}

/** Calling codes of one and two digits (ITU E.164). All others have three. */
const SHORT_CODES = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** `+4915112345678` is the number 15112345678 with the calling code 49. */
export function phoneParts(phone: string | undefined): { readonly code: string; readonly number: string } | undefined {
  const digits = phone?.startsWith('+') ? phone.replaceAll(/\D/g, '') : '';
  const [code = digits.slice(0, 3)] = SHORT_CODES.exec(digits) ?? [];
  const number = digits.slice(code.length);
  return number.length >= 4 ? { code, number } : undefined;
}
