import { timingSafeEqual as equalBytes } from 'node:crypto';

/** Compares in constant time. The length is not protected: that of a digest is no secret. */
export function timingSafeEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && equalBytes(left, right);
}

/** The first `max` UTF-16 units. Half of a surrogate pair at the end is dropped: providers and the store refuse it. */
export function truncate(text: string, max: number): string {
  const cut = text.slice(0, max);
  return cut.length < text.length && !cut.isWellFormed() ? cut.slice(0, -1) : cut;
}

/**
 * Of zero width, soft hyphens, marks of direction and byte order, and letters that are drawn as a blank. Not what follows
 * an emoji: a name may end with one. Control characters are none: no clipboard adds them.
 */
const INVISIBLE =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800' +
  '\\u3164\\ufeff\\uffa0';
const BETWEEN_BLANKS = new RegExp(`[^\\s${INVISIBLE}](.*[^\\s${INVISIBLE}])?`, 'su');
const ANY_INVISIBLE = new RegExp(`[\\p{Cc}${INVISIBLE}]`, 'u');

/** Without the blanks and invisible characters at both ends that come with text from a clipboard. */
export const trimPasted = (text: string): string => BETWEEN_BLANKS.exec(text)?.[0] ?? '';

export const hasInvisible = (text: string): boolean => ANY_INVISIBLE.test(text);

/** A blank or an invisible character at the end of a URL, as browsers encode it when they copy their address bar. */
const ENCODED_END = /(?:%[0-9a-f]{2})+$/i;

export function endsInEncodedBlank(url: string): boolean {
  const [end] = ENCODED_END.exec(url) ?? [];
  if (end === undefined) return false;
  try {
    const text = decodeURIComponent(end);
    return trimPasted(`x${text}`) !== `x${text}`;
  } catch {
    return false;
  }
}

const DIGIT = /\p{Nd}/u;
const ANY_DIGIT = /\p{Nd}/gu;

/** Digits of any script as 0 to 9, as keyboards of many languages write others: ٣, ३, ３. */
export const toAsciiDigits = (text: string): string => text.replaceAll(ANY_DIGIT, digitValue);

/** Each script has its ten digits in a row, from zero. Some rows follow one another without a gap. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let start = code;
  while (DIGIT.test(String.fromCodePoint(start - 1))) start -= 1;
  return String((code - start) % 10);
}
