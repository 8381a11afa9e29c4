import type { FieldError } from '#shared/kernel/errors.ts';

type ParsedJson = {
  readonly value: unknown;
  /** Whether the text contains `null`. A cheap test, which may be true without a null value. */
  readonly mayHaveNull: boolean;
  /** What `JSON.parse` changes without a word: repeated names, and numbers that lose digits. */
  readonly errors: readonly FieldError[];
};

export const REPEATED_NAME = 'Must not be repeated.';
const INEXACT_NUMBER = 'Has more digits than can be stored exactly.';

/** Throws a `SyntaxError` for text that is not JSON. */
export function parseJson(text: string): ParsedJson {
  const value: unknown = JSON.parse(text);
  return { value, mayHaveNull: text.includes('null'), errors: errorsIn(text) };
}

/** An object or list that the scan is inside of; `at`: the name or index that it stands at. */
type Level = { readonly names: Set<string> | undefined; at: string | number; expectsName: boolean };

/** No shape accepts anything deeper, so the search ends there. */
export const MAX_JSON_DEPTH = 32;
/** More errors than a response shows. */
const MAX_ERRORS = 100;

/** Scans valid JSON token by token. */
function errorsIn(text: string): FieldError[] {
  const levels: Level[] = [];
  const errors: FieldError[] = [];
  let start = 0;
  while (start < text.length && errors.length < MAX_ERRORS && levels.length <= MAX_JSON_DEPTH) {
    const end = tokenEnd(text, start);
    const message = checkToken(text.slice(start, end), levels);
    if (message) errors.push({ path: levels.map(({ at }) => at).join('.'), message });
    start = end;
  }
  return errors;
}

/** Moves on by one token. Returns what is wrong with it. */
function checkToken(token: string, levels: Level[]): string | undefined {
  const char = token[0] ?? '';
  const level = levels.at(-1);
  if (char === '"' && level?.expectsName) return checkName(nameIn(token), level);
  if (NUMBER_START.test(char)) return isExact(token) ? undefined : INEXACT_NUMBER;
  if (char === '{') levels.push({ names: new Set(), at: '', expectsName: true });
  if (char === '[') levels.push({ names: undefined, at: 0, expectsName: false });
  if (char === '}' || char === ']') levels.pop();
  if (char === ',' && level) moveToNext(level);
  return undefined;
}

function checkName(name: string, level: Level): string | undefined {
  const isRepeated = level.names?.has(name);
  level.names?.add(name);
  level.at = name;
  level.expectsName = false;
  return isRepeated ? REPEATED_NAME : undefined;
}

function moveToNext(level: Level): void {
  if (typeof level.at === 'number') level.at += 1;
  else level.expectsName = true;
}

const NUMBER_START = /[-\d]/;
const NUMBER = /[-+.\deE]+/y;

/** The end of the text, number or single character that starts there. */
function tokenEnd(text: string, start: number): number {
  const char = text[start] ?? '';
  if (char === '"') {
    let end = start + 1;
    while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    return end + 1;
  }
  if (!NUMBER_START.test(char)) return start + 1;
  NUMBER.lastIndex = start;
  NUMBER.exec(text);
  return NUMBER.lastIndex;
}

/** `"amo\u0075nt"` is the same name as `"amount"`. */
const nameIn = (token: string): string => (token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1));

/** Any number of at most fifteen digits fits into a double exactly. */
const SURELY_EXACT = /^[-.\d]{1,15}$/;

/** Whether the number that is stored reads like the one that was sent: `100.0` does, `4999.9999999999999999` not. */
const isExact = (token: string): boolean =>
  SURELY_EXACT.test(token) || decimalOf(token) === decimalOf(String(Number(token)));

/** A number's digits without outer zeros, and their exponent; the same for each way to write the number. */
function decimalOf(token: string): string {
  const [, sign = '', whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  if (whole === undefined) return token;
  const digits = whole + fraction;
  let from = 0;
  let to = digits.length;
  while (digits[from] === '0') from += 1;
  while (to > from && digits[to - 1] === '0') to -= 1;
  return from === to ? '0' : `${sign}${digits.slice(from, to)}e${Number(exponent) + whole.length - to}`;
}

/** The value as text: the same for equal values, whatever the order of names and the notation of numbers. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sortNames) ?? '';

const sortNames = (_: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The validated form of what was sent, without the defaults that validation adds: a default may change with a release,
 * while a client repeats its request unchanged.
 */
export function withoutDefaults(sent: unknown, validated: unknown): unknown {
  if (Array.isArray(sent) && Array.isArray(validated) && sent.length === validated.length)
    return sent.map((each, n) => withoutDefaults(each, validated[n]));
  if (!isObject(sent) || !isObject(validated)) return validated;
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => {
      // Names of currencies are stored in upper case.
      const known = Object.hasOwn(validated, name) ? name : name.toUpperCase();
      return Object.hasOwn(validated, known) ? [[known, withoutDefaults(value, validated[known])]] : [];
    }),
  );
}
