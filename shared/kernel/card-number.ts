import { BRANDS } from '#shared/kernel/card-brands.catalog.ts';
import { isCertainlyNoCard } from '#shared/kernel/card-number-context.ts';

/**
 * Phone numbers in Germany and Austria have 13 digits, often without a plus; Visa has not issued numbers of that length
 * for decades.
 */
const PHONE_NUMBER = /^4[39]\d{11}$/;

/** Indexed by first digit and length: `416` is a 4 and 16 digits. Most numbers then need one look-up. */
const ISSUED_RANGES = Map.groupBy(
  Object.values(BRANDS).flatMap(({ lengths, prefixes }) =>
    prefixes.split(' ').flatMap((range) => lengths.map((length) => parseRange(range, length))),
  ),
  ({ name }) => name,
);

function parseRange(range: string, length: number) {
  const [from = '', to = from] = range.split('-');
  return { from, to, name: `${from[0]}${length}` };
}

/** Whether a brand issues numbers with this prefix and length. */
export function isIssued(digits: string): boolean {
  const ranges = ISSUED_RANGES.get(`${digits[0]}${digits.length}`) ?? [];
  return (
    ranges.some(({ from, to }) => digits.slice(0, from.length) >= from && digits.slice(0, to.length) <= to) &&
    !PHONE_NUMBER.test(digits)
  );
}

/** The digit sum of each doubled digit. */
const DIGIT_SUM_OF_DOUBLE = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];

export const passesLuhn = (digits: string): boolean => luhnChecker(digits)(0, digits.length);

/**
 * Returns a function that says whether the digits from one position to another pass the Luhn check. It reads each digit
 * only once, however many positions are checked.
 */
function luhnChecker(digits: string): (from: number, to: number) => boolean {
  // Running sums. The last digit is never doubled, so the end position decides which digits are doubled.
  const oddDoubled = new Uint32Array(digits.length + 1);
  const evenDoubled = new Uint32Array(digits.length + 1);
  for (let i = 0; i < digits.length; i += 1) {
    const digit = digits.charCodeAt(i) - 48;
    const doubled = DIGIT_SUM_OF_DOUBLE[digit] ?? 0;
    oddDoubled[i + 1] = (oddDoubled[i] ?? 0) + (i % 2 === 0 ? digit : doubled);
    evenDoubled[i + 1] = (evenDoubled[i] ?? 0) + (i % 2 === 0 ? doubled : digit);
  }
  return (from, to) => {
    const sums = to % 2 === 0 ? evenDoubled : oddDoubled;
    return ((sums[to] ?? 0) - (sums[from] ?? 0)) % 10 === 0;
  };
}

type Span = { readonly start: number; readonly end: number };

/** What is between a group of digits and the one before. `isClose`: at most two spaces or dashes. */
type Separator = { readonly kind: string; readonly isClose: boolean };
type DigitGroup = Span & { readonly digits: string; readonly separator: Separator; readonly isFraction: boolean };

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

/**
 * Finds card numbers in a text: groups of digits with spaces or dashes between them, or groups as on a card with one
 * kind of separator. Digits next to a letter are skipped: they belong to an id. Groups are not split, so a longer
 * number never contains a card number by chance.
 */
export function cardNumbersIn(text: string): Span[] {
  if (text.length < MIN_DIGITS) return [];
  const plain = toAscii(text);
  const groups = groupsIn(plain);
  const found = [...findInAnyGroups(groups, plain), ...findInCardGroups(groups)].sort(
    (a, b) => a.start - b.start || b.end - a.end,
  );
  if (found.length === 0 || plain === text) return found;
  const positions = positionsIn(text);
  return found.map(({ start, end }) => ({ start: positions[start] ?? 0, end: positions[end] ?? text.length }));
}

/** Digits, spaces, dashes and punctuation of other scripts and widths, and invisible characters. */
const NON_ASCII =
  /(?![\0-\x7f])[\p{Nd}\p{Zs}\p{Pd}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2212\u2024\u00b2\u00b3\u00b9\u2070-\u2089\u2460-\u2468\ufe50-\ufe6b\uff01-\uff5e]/gu;
const INVISIBLE = /^\p{Default_Ignorable_Code_Point}$/u;
const SPACE = /^[\p{Zs}\u2028\u2029]$/u;
const DASH = /^[\p{Pd}\u2212]$/u;
const DIGIT = /^\p{Nd}$/u;

/** At most one entry for each character that `NON_ASCII` matches. */
const asciiCache = new Map<string, string>();

const toAscii = (text: string): string =>
  text.replace(NON_ASCII, (char) => {
    const ascii = asciiCache.get(char) ?? asciiOfChar(char);
    asciiCache.set(char, ascii);
    return ascii;
  });

function asciiOfChar(char: string): string {
  if (INVISIBLE.test(char)) return '';
  if (SPACE.test(char)) return ' ';
  if (DASH.test(char)) return '-';
  const compatible = char.normalize('NFKC');
  if (/^[!-~]$/.test(compatible)) return compatible;
  return DIGIT.test(char) ? String(digitOf(char.codePointAt(0) ?? 0)) : char;
}

/** The ten digits of a script have consecutive code points. */
function digitOf(code: number): number {
  let digit = 0;
  while (digit < 9 && DIGIT.test(String.fromCodePoint(code - digit - 1))) digit += 1;
  return digit;
}

/** Maps each position in a text's ASCII form to the position in the text. */
function positionsIn(text: string): number[] {
  const positions: number[] = [];
  let at = 0;
  for (const char of text) {
    for (let units = toAscii(char).length; units > 0; units -= 1) positions.push(at);
    at += char.length;
  }
  return positions;
}

const UUID = /(?<![\p{L}\p{N}])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\p{L}\p{N}])/giu;
const LETTER_OR_NUMBER = /^[\p{L}\p{N}]$/u;
/** The part before a decimal fraction's digits. */
const BEFORE_FRACTION = /\d\.$/;

function groupsIn(text: string): DigitGroup[] {
  const readable = text.replace(UUID, (uuid) => 'x'.repeat(uuid.length));
  const groups: DigitGroup[] = [];
  let before = 0;
  for (const { 0: digits, index: start } of readable.matchAll(/[0-9]+/g)) {
    const end = start + digits.length;
    if (
      digits.length > MAX_DIGITS ||
      endsInLetterOrNumber(readable, start) ||
      isLetterOrNumber(readable.codePointAt(end))
    )
      continue;
    const isFraction = readable[start - 1] === '.' && BEFORE_FRACTION.test(readable.slice(start - 2, start));
    groups.push({
      start,
      end,
      digits,
      separator: groups.length > 0 ? separatorBetween(readable, before, start) : NO_SEPARATOR,
      isFraction,
    });
    before = end;
  }
  return groups;
}

/** Whether the character before `end` is a letter or number. It may take two UTF-16 units. */
function endsInLetterOrNumber(text: string, end: number): boolean {
  const last = text.charCodeAt(end - 1);
  const isHalf = last >= 0xdc00 && last <= 0xdfff;
  return isLetterOrNumber(isHalf ? text.codePointAt(end - 2) : last);
}

function isLetterOrNumber(code: number | undefined): boolean {
  if (code === undefined || Number.isNaN(code)) return false;
  if (code > 0x7f) return LETTER_OR_NUMBER.test(String.fromCodePoint(code));
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

const NO_SEPARATOR: Separator = { kind: '', isClose: false };
/** No separator has this many characters. */
const SEPARATOR_TOO_LONG = 9;
const SEPARATORS = new Map<string, Separator>([
  ...[' ', '-'].map((kind) => [kind, { kind, isClose: true }] as const),
  ...['.', ',', '/', '_'].map((kind) => [kind, { kind, isClose: false }] as const),
]);

function separatorBetween(text: string, from: number, to: number): Separator {
  if (to - from >= SEPARATOR_TOO_LONG) return NO_SEPARATOR;
  const between = text.slice(from, to);
  return SEPARATORS.get(between) ?? parseLongSeparator(between);
}

function parseLongSeparator(text: string): Separator {
  const isClose = /^[ -]{2}$/.test(text);
  if (/^\s+$/.test(text)) return { kind: ' ', isClose };
  const [, kind] = /^\s{0,2}([-/_])\s{0,2}$/.exec(text) ?? [];
  return kind === undefined ? { ...NO_SEPARATOR, isClose } : { kind, isClose };
}

/** Card numbers in groups of any length, with spaces or dashes between them. */
function findInAnyGroups(groups: readonly DigitGroup[], text: string): Span[] {
  return runsOf(groups).flatMap((run) => {
    const digits = run.map((group) => group.digits).join('');
    const isPhone = text[(run[0]?.start ?? 0) - 1] === '+' && digits.length <= 15;
    return isPhone || digits.length < MIN_DIGITS ? [] : findInRun(run, digits);
  });
}

/** Runs of groups that have only spaces or dashes between them. The decimals of a number are not a group. */
function runsOf(groups: readonly DigitGroup[]): DigitGroup[][] {
  const found: DigitGroup[][] = [];
  let run: DigitGroup[] = [];
  for (const group of groups) {
    if (!group.separator.isClose || group.isFraction || run.length === 0) {
      run = [];
      found.push(run);
    }
    if (!group.isFraction) run.push(group);
  }
  return found.filter(({ length }) => length > 0);
}

/** The shortest card number that starts at each group; after one of 13 digits the next longer one, too. */
function findInRun(run: readonly DigitGroup[], digits: string): Span[] {
  const passes = luhnChecker(digits);
  const ends = digitEnds(run);
  const found: Span[] = [];
  let from = 0;
  let nearest = 0;
  for (let first = 0; first < run.length; first += 1) {
    while (nearest < run.length && (ends[nearest] ?? 0) - from < MIN_DIGITS) nearest += 1;
    for (let last = nearest; last < run.length; last += 1) {
      const to = ends[last] ?? 0;
      if (to - from > MAX_DIGITS) break;
      if (!passes(from, to) || !isIssued(digits.slice(from, to))) continue;
      found.push({ start: run[first]?.start ?? 0, end: run[last]?.end ?? 0 });
      // One of 13 digits may be a trade item number, and a longer one that starts with it a card's.
      if (to - from > MIN_DIGITS) break;
    }
    from = ends[first] ?? 0;
  }
  return found;
}

/** For each group: how many digits the run has up to its end. */
function digitEnds(run: readonly DigitGroup[]): Uint32Array {
  const ends = new Uint32Array(run.length);
  run.forEach(({ digits }, n) => {
    ends[n] = (ends[n - 1] ?? 0) + digits.length;
  });
  return ends;
}

/** How numbers are grouped on cards: most brands, numbers of 19 digits, American Express, Diners. */
const CARD_GROUPINGS = [
  [4, 4, 4, 4],
  [4, 4, 4, 4, 3],
  [4, 6, 5],
  [4, 6, 4],
] as const;

/** Card numbers grouped as on cards, with one kind of separator. A longer list of four-digit numbers is not one. */
function findInCardGroups(groups: readonly DigitGroup[]): Span[] {
  return groups.flatMap((group, first) => {
    if (group.digits.length !== 4 || group.isFraction) return [];
    const shape = CARD_GROUPINGS.find((lengths) => isCardAt(groups, first, lengths));
    return shape ? [{ start: group.start, end: groups[first + shape.length - 1]?.end ?? 0 }] : [];
  });
}

function isCardAt(groups: readonly DigitGroup[], first: number, lengths: readonly number[]): boolean {
  const kind = groups[first + 1]?.separator.kind;
  if (
    !kind ||
    !lengths.every(
      (length, n) =>
        groups[first + n]?.digits.length === length && (n === 0 || groups[first + n]?.separator.kind === kind),
    )
  )
    return false;
  const after = first + lengths.length;
  if (continuesGroups(groups, first, first - 1, kind) || continuesGroups(groups, after, after, kind)) return false;
  const digits = lengths.map((_, n) => groups[first + n]?.digits).join('');
  return passesLuhn(digits) && isIssued(digits);
}

/** Whether the list has another group of four digits there. */
const continuesGroups = (groups: readonly DigitGroup[], gapAt: number, other: number, kind: string): boolean =>
  groups[gapAt]?.separator.kind === kind && groups[other]?.digits.length === 4;

/** The text with `[card]` in place of each card number. */
export function maskCardNumbers(text: string): string {
  let masked = '';
  let done = 0;
  for (const { start, end } of cardNumbersIn(text)) {
    if (start < done) continue;
    masked += `${text.slice(done, start)}[card]`;
    done = end;
  }
  return masked + text.slice(done);
}

/** A value in a JSON body. `name`: the names of its property and of those around it. */
type Node = { readonly value: unknown; readonly name?: string; readonly key?: string; readonly parent?: Node };

/** No error response lists as many paths. */
const MAX_PATHS = 50;

/**
 * The paths of card numbers in a JSON body: in texts, numbers and property names. We never accept a card number:
 * storing a single one would make the whole service subject to PCI DSS. Numbers that are clearly of another kind are
 * accepted. This is a loop, because a deeply nested body could exceed the stack of a recursion.
 */
export function cardNumberPaths(body: unknown): string[] {
  const rest: Node[] = [{ value: body }];
  const paths = new Set<string>();
  for (let node = rest.pop(); node && paths.size < MAX_PATHS; node = rest.pop()) {
    const { value, name } = node;
    if (
      typeof value === 'string' ? holdsCardNumber(value, name) : typeof value === 'number' && isCardNumber(value, name)
    )
      paths.add(pathOf(node));
    else if (Array.isArray(value))
      for (const [n, inner] of value.entries())
        rest.push({ value: inner, key: String(n), parent: node, ...(name !== undefined && { name }) });
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        const child = { value: inner, name: `${(name ?? '').slice(-MAX_NAME)} ${key}`, key, parent: node };
        if (holdsCardNumber(key, undefined)) paths.add(pathOf(child));
        else rest.push(child);
      }
  }
  return [...paths];
}

export const containsCardNumber = (body: unknown): boolean => cardNumberPaths(body).length > 0;

const MAX_PATH_DEPTH = 32;
const MAX_NAME = 80;

/** The path as the client sees it. A property name that is a card number is masked. */
function pathOf(node: Node): string {
  const keys: string[] = [];
  for (let at: Node | undefined = node; at && keys.length < MAX_PATH_DEPTH; at = at.parent)
    if (at.key !== undefined) keys.unshift(maskCardNumbers(at.key));
  return keys.join('.');
}

const holdsCardNumber = (text: string, name: string | undefined): boolean =>
  cardNumbersIn(text).some(({ start, end }) => {
    const written = text.slice(start, end);
    const digits = toAscii(written).replace(/\D/g, '');
    return !isCertainlyNoCard({ digits, written, before: text.slice(0, start), name });
  });

/** A number beyond 2^53 lost its last digits when it was parsed, so only its prefix and length are checked. */
function isCardNumber(value: number, name: string | undefined): boolean {
  const size = Math.abs(value);
  if (size < 1e12 || !Number.isInteger(size)) return false;
  return Number.isSafeInteger(size) ? holdsCardNumber(String(size), name) : isIssued(String(size));
}
