type Brand = { readonly lengths: readonly number[]; readonly begins: string };

const upTo19 = (shortest: number) => Array.from({ length: 20 - shortest }, (_, i) => shortest + i);

/** Prefixes and lengths of each brand's numbers. Adding a brand is adding a line here. */
const BRANDS: Readonly<Record<string, Brand>> = {
  visa: { lengths: [13, 16, 19], begins: '4' },
  mastercard: { lengths: [16], begins: '51-55 2221-2720' },
  amex: { lengths: [15], begins: '34 37' },
  discover: { lengths: upTo19(16), begins: '6011 644-649 65 622126-622925' },
  diners: { lengths: upTo19(14), begins: '300-305 3095 36 38-39' },
  jcb: { lengths: upTo19(16), begins: '3528-3589' },
  jcbLegacy: { lengths: [15], begins: '1800 2131' },
  unionpay: { lengths: upTo19(16), begins: '62 8110-8171' },
  maestro: { lengths: upTo19(13), begins: '50 56-59 63 67' },
  verve: { lengths: [16, 18, 19], begins: '506099-506198 507865-507964 650002-650027' },
  rupay: { lengths: [16], begins: '508 60 65 81-82 353 356' },
  troy: { lengths: [16], begins: '9792 65' },
  mir: { lengths: upTo19(16), begins: '2200-2204' },
  elo: {
    lengths: [16],
    begins:
      '401178-401179 431274 438935 451416 457393 457631-457632 504175 506699-506778 509 627780 636297 636368 ' +
      '650-651 655',
  },
  hipercard: { lengths: [16], begins: '606282 3841 637095-637612' },
};

/**
 * Phone numbers in Germany and Austria have 13 digits, often without a plus; Visa has not issued numbers of that length
 * for decades.
 */
const PHONE = /^4[39]\d{11}$/;

/** Indexed by first digit and length (`416`), so that most numbers take one look-up. */
const ISSUED = Map.groupBy(
  Object.values(BRANDS).flatMap(({ lengths, begins }) =>
    begins.split(' ').flatMap((range) => lengths.map((length) => rangeOf(range, length))),
  ),
  ({ name }) => name,
);

function rangeOf(range: string, length: number) {
  const [from = '', to = from] = range.split('-');
  return { from, to, name: `${from[0]}${length}` };
}

/** Whether a brand issues numbers with this prefix and length. */
export function isIssued(digits: string): boolean {
  const ranges = ISSUED.get(`${digits[0]}${digits.length}`) ?? [];
  return (
    ranges.some(({ from, to }) => digits.slice(0, from.length) >= from && digits.slice(0, to.length) <= to) &&
    !PHONE.test(digits)
  );
}

/** The sum of a doubled digit's digits. */
const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];

export const passesLuhn = (digits: string): boolean => luhnSums(digits)(0, digits.length);

/**
 * Whether the digits from one place to another pass Luhn's check, for any number of places at the cost of one look at
 * each digit.
 */
function luhnSums(digits: string): (from: number, to: number) => boolean {
  // Sums up to each place. The last digit is never doubled, so which ones are depends on where the number ends.
  const oddDoubled = new Uint32Array(digits.length + 1);
  const evenDoubled = new Uint32Array(digits.length + 1);
  for (let i = 0; i < digits.length; i += 1) {
    const digit = digits.charCodeAt(i) - 48;
    const doubled = DOUBLED[digit] ?? 0;
    oddDoubled[i + 1] = (oddDoubled[i] ?? 0) + (i % 2 === 0 ? digit : doubled);
    evenDoubled[i + 1] = (evenDoubled[i] ?? 0) + (i % 2 === 0 ? doubled : digit);
  }
  return (from, to) => {
    const sums = to % 2 === 0 ? evenDoubled : oddDoubled;
    return ((sums[to] ?? 0) - (sums[from] ?? 0)) % 10 === 0;
  };
}

type Span = { readonly start: number; readonly end: number };

/** What separates a group of digits from the one before. `isClose`: two spaces or dashes at most. */
type Gap = { readonly kind: string; readonly isClose: boolean };
type Group = Span & { readonly digits: string; readonly gap: Gap; readonly isFraction: boolean };

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

/**
 * Positions of card numbers in a text: whole groups of digits, separated by spaces or dashes, or grouped as on a card
 * with one kind of separator throughout. Digits next to letters belong to an id, and groups are not split, so that a
 * longer number never contains a card number by chance.
 */
export function cardNumbersIn(text: string): Span[] {
  if (text.length < MIN_DIGITS) return [];
  const plain = inAscii(text);
  const groups = groupsIn(plain);
  const found = [...inAnyGroups(groups, plain), ...inGroupsOfCards(groups)].sort((a, b) => a.start - b.start);
  if (found.length === 0 || plain === text) return found;
  const places = placesIn(text);
  return found.map(({ start, end }) => ({ start: places[start] ?? 0, end: places[end] ?? text.length }));
}

/** Digits, spaces, dashes and punctuation of other scripts and widths, and invisible characters. */
const UNUSUAL =
  /(?![\0-\x7f])[\p{Nd}\p{Zs}\p{Pd}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2212\u2024\u00b2\u00b3\u00b9\u2070-\u2089\u2460-\u2468\ufe50-\ufe6b\uff01-\uff5e]/gu;
const UNSEEN = /^\p{Default_Ignorable_Code_Point}$/u;
const SPACE = /^[\p{Zs}\u2028\u2029]$/u;
const DASH = /^[\p{Pd}\u2212]$/u;
const DIGIT = /^\p{Nd}$/u;

/** As many as there are characters that are unusual. */
const known = new Map<string, string>();

const inAscii = (text: string): string =>
  text.replace(UNUSUAL, (char) => {
    const ascii = known.get(char) ?? asciiOf(char);
    known.set(char, ascii);
    return ascii;
  });

function asciiOf(char: string): string {
  if (UNSEEN.test(char)) return '';
  if (SPACE.test(char)) return ' ';
  if (DASH.test(char)) return '-';
  const compatible = char.normalize('NFKC');
  if (/^[!-~]$/.test(compatible)) return compatible;
  return DIGIT.test(char) ? String(digitOf(char.codePointAt(0) ?? 0)) : char;
}

/** The ten digits of a script follow one another. */
function digitOf(code: number): number {
  let digit = 0;
  while (digit < 9 && DIGIT.test(String.fromCodePoint(code - digit - 1))) digit += 1;
  return digit;
}

/** For each position in the ASCII form of a text the position in the text itself. */
function placesIn(text: string): number[] {
  const places: number[] = [];
  let at = 0;
  for (const char of text) {
    for (let units = inAscii(char).length; units > 0; units -= 1) places.push(at);
    at += char.length;
  }
  return places;
}

const UUID = /(?<![\p{L}\p{N}])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\p{L}\p{N}])/giu;
const LETTER_OR_NUMBER = /^[\p{L}\p{N}]$/u;
/** The part before a decimal fraction's digits. */
const POINT = /\d\.$/;

function groupsIn(text: string): Group[] {
  const readable = text.replace(UUID, (uuid) => 'x'.repeat(uuid.length));
  const groups: Group[] = [];
  let before = 0;
  for (const { 0: digits, index: start } of readable.matchAll(/[0-9]+/g)) {
    const end = start + digits.length;
    if (digits.length > MAX_DIGITS || endsInWord(readable, start) || isOfWord(readable.codePointAt(end))) continue;
    const isFraction = readable[start - 1] === '.' && POINT.test(readable.slice(start - 2, start));
    groups.push({
      start,
      end,
      digits,
      gap: groups.length > 0 ? gapBetween(readable, before, start) : NO_GAP,
      isFraction,
    });
    before = end;
  }
  return groups;
}

/** Whether a letter or number, which may take two places, stands before this one. */
function endsInWord(text: string, end: number): boolean {
  const last = text.charCodeAt(end - 1);
  const isHalf = last >= 0xdc00 && last <= 0xdfff;
  return isOfWord(isHalf ? text.codePointAt(end - 2) : last);
}

function isOfWord(code: number | undefined): boolean {
  if (code === undefined || Number.isNaN(code)) return false;
  if (code > 0x7f) return LETTER_OR_NUMBER.test(String.fromCodePoint(code));
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

const NO_GAP: Gap = { kind: '', isClose: false };
/** Longer than any separator. */
const FAR = 9;
const GAPS = new Map<string, Gap>([
  ...[' ', '-'].map((kind) => [kind, { kind, isClose: true }] as const),
  ...['.', ',', '/', '_'].map((kind) => [kind, { kind, isClose: false }] as const),
]);

function gapBetween(text: string, from: number, to: number): Gap {
  if (to - from >= FAR) return NO_GAP;
  const gap = text.slice(from, to);
  return GAPS.get(gap) ?? longGap(gap);
}

function longGap(gap: string): Gap {
  const isClose = /^[ -]{2}$/.test(gap);
  if (/^\s+$/.test(gap)) return { kind: ' ', isClose };
  const [, kind] = /^\s{0,2}([-/_])\s{0,2}$/.exec(gap) ?? [];
  return kind === undefined ? { ...NO_GAP, isClose } : { kind, isClose };
}

/** Card numbers in groups of whatever lengths, with spaces or dashes between them. */
function inAnyGroups(groups: readonly Group[], text: string): Span[] {
  return runs(groups).flatMap((run) => {
    const digits = run.map((group) => group.digits).join('');
    const isPhone = text[(run[0]?.start ?? 0) - 1] === '+' && digits.length <= 15;
    return isPhone || digits.length < MIN_DIGITS ? [] : inRun(run, digits);
  });
}

/** Groups with only spaces and dashes between them. The digits of a fraction are no group. */
function runs(groups: readonly Group[]): Group[][] {
  const found: Group[][] = [];
  let run: Group[] = [];
  for (const group of groups) {
    if (!group.gap.isClose || group.isFraction || run.length === 0) {
      run = [];
      found.push(run);
    }
    if (!group.isFraction) run.push(group);
  }
  return found.filter(({ length }) => length > 0);
}

/** From each group on the shortest that is a card number. */
function inRun(run: readonly Group[], digits: string): Span[] {
  const passes = luhnSums(digits);
  const ends = endsOf(run);
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
      break;
    }
    from = ends[first] ?? 0;
  }
  return found;
}

/** How many digits a run has up to the end of each group. */
function endsOf(run: readonly Group[]): Uint32Array {
  const ends = new Uint32Array(run.length);
  run.forEach(({ digits }, n) => {
    ends[n] = (ends[n - 1] ?? 0) + digits.length;
  });
  return ends;
}

/** How numbers are grouped on cards: most, those of 19 digits, American Express, Diners. */
const ON_CARDS = [
  [4, 4, 4, 4],
  [4, 4, 4, 4, 3],
  [4, 6, 5],
  [4, 6, 4],
] as const;

/** Card numbers grouped as on cards, with one kind of separator. A list of numbers of four digits each is none. */
function inGroupsOfCards(groups: readonly Group[]): Span[] {
  return groups.flatMap((group, first) => {
    if (group.digits.length !== 4 || group.isFraction) return [];
    const shape = ON_CARDS.find((lengths) => isOnCard(groups, first, lengths));
    return shape ? [{ start: group.start, end: groups[first + shape.length - 1]?.end ?? 0 }] : [];
  });
}

function isOnCard(groups: readonly Group[], first: number, lengths: readonly number[]): boolean {
  const kind = groups[first + 1]?.gap.kind;
  if (
    !kind ||
    !lengths.every(
      (length, n) => groups[first + n]?.digits.length === length && (n === 0 || groups[first + n]?.gap.kind === kind),
    )
  )
    return false;
  const after = first + lengths.length;
  if (continuesGroups(groups, first, first - 1, kind) || continuesGroups(groups, after, after, kind)) return false;
  const digits = lengths.map((_, n) => groups[first + n]?.digits).join('');
  return passesLuhn(digits) && isIssued(digits);
}

/** Whether a list continues with four more digits. */
const continuesGroups = (groups: readonly Group[], gapAt: number, other: number, kind: string): boolean =>
  groups[gapAt]?.gap.kind === kind && groups[other]?.digits.length === 4;

/**
 * Whether a card number is anywhere in a JSON body: in text, numbers or property names. We never accept one, as a
 * single stored number makes the whole service subject to PCI DSS. A loop and not a recursion, as a body may nest
 * deeper than the stack.
 */
export function containsCardNumber(value: unknown): boolean {
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'string' ? cardNumbersIn(next).length > 0 : typeof next === 'number' && isCardNumber(next))
      return true;
    if (Array.isArray(next)) for (const inner of next) rest.push(inner);
    else if (typeof next === 'object' && next !== null)
      for (const [name, inner] of Object.entries(next)) rest.push(name, inner);
  }
  return false;
}

/** Beyond 2^53 a number lost its last digits when it was parsed, so only its beginning is checked. */
function isCardNumber(value: number): boolean {
  const size = Math.abs(value);
  if (size < 1e12 || !Number.isInteger(size)) return false;
  return Number.isSafeInteger(size) ? cardNumbersIn(String(size)).length > 0 : isIssued(String(size));
}
