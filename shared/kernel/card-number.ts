type Brand = { readonly lengths: readonly number[]; readonly begins: string };

const upTo19 = (shortest: number) => Array.from({ length: 20 - shortest }, (_, i) => shortest + i);

/** Which beginnings each brand issues, and how long its numbers are. Adding a brand is adding a line here. */
const BRANDS: Readonly<Record<string, Brand>> = {
  visa: { lengths: [13, 16, 19], begins: '4' },
  mastercard: { lengths: [16], begins: '51-55 2221-2720' },
  amex: { lengths: [15], begins: '34 37' },
  discover: { lengths: upTo19(16), begins: '6011 644-649 65 622126-622925' },
  diners: { lengths: upTo19(14), begins: '300-305 3095 36 38-39' },
  jcb: { lengths: upTo19(16), begins: '3528-3589' },
  jcbOfOld: { lengths: [15], begins: '1800 2131' },
  unionpay: { lengths: upTo19(16), begins: '62 8110-8171' },
  maestro: { lengths: upTo19(13), begins: '50 56-59 63 67' },
  verve: { lengths: [16, 18, 19], begins: '506099-506198 507865-507964 650002-650027' },
  rupay: { lengths: [16], begins: '508 60 65 81-82 353 356' },
  troy: { lengths: [16], begins: '9792 65' },
  mir: { lengths: upTo19(16), begins: '2200-2204' },
  elo: { lengths: [16], begins: '401178-401179 431274 438935 451416 457393 457631-457632 504175 506699-506778 509 627780 636297 636368 650-651 655' },
  hipercard: { lengths: [16], begins: '606282 3841 637095-637612' },
};

/** Germany's and Austria's phone numbers have 13 digits, often without their plus; Visa gave out no such short ones for decades. */
const PHONE = /^4[39]\d{11}$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\p{L}\p{N}])/iu;
/** What stands before the digits of a decimal fraction. */
const POINT = /\d\.$/;
const SEPARATOR = /^[ \u00a0\u2010-\u2015-]{1,2}$/;

/** By first digit and length (`416`), so that most numbers are told apart by one look. */
const ISSUED = Map.groupBy(
  Object.values(BRANDS).flatMap(({ lengths, begins }) => begins.split(' ').flatMap((range) => lengths.map((length) => rangeOf(range, length)))),
  ({ name }) => name,
);

function rangeOf(range: string, length: number) {
  const [from = '', to = from] = range.split('-');
  return { from, to, name: `${from[0]}${length}` };
}

/** Whether a brand gives out numbers that begin like this and are as long. */
export function isIssued(digits: string): boolean {
  const ranges = ISSUED.get(`${digits[0]}${digits.length}`) ?? [];
  return ranges.some(({ from, to }) => digits.slice(0, from.length) >= from && digits.slice(0, to.length) <= to) && !PHONE.test(digits);
}

/** The sum of a doubled digit's digits. */
const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];

export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    sum += i % 2 === 0 ? digit : (DOUBLED[digit] ?? 0);
  }
  return sum % 10 === 0;
}

export type Span = { readonly start: number; readonly end: number };
type Group = Span & { readonly digits: string };

/**
 * Where card numbers stand in a text: whole groups of digits, one or some with spaces or dashes between. Digits beside
 * letters are part of an id, and no group is looked into, so that a longer number never holds a card number by chance.
 */
export function cardNumbersIn(text: string): Span[] {
  return runs(text).flatMap((run) => {
    const isPhone = text[(run[0]?.start ?? 0) - 1] === '+' && run.reduce((sum, { digits }) => sum + digits.length, 0) <= 15;
    return isPhone ? [] : run.flatMap((_, i) => startingAt(run, i));
  });
}

function startingAt(run: readonly Group[], first: number): Span[] {
  let digits = '';
  for (let i = first; i < run.length && digits.length < 19; i += 1) {
    digits += run[i]?.digits;
    if (digits.length >= 13 && isIssued(digits) && passesLuhn(digits)) return [{ start: run[first]?.start ?? 0, end: run[i]?.end ?? 0 }];
  }
  return [];
}

/** Groups of digits that only separators part. */
function runs(text: string): Group[][] {
  const found: Group[][] = [];
  let skipTo = 0;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (index < skipTo) continue;
    const uuid = UUID.exec(text.slice(index, index + 37));
    if (uuid) skipTo = index + uuid[0].length;
    if (uuid || !/^[0-9]{1,19}$/.test(word) || POINT.test(text.slice(Math.max(0, index - 2), index))) continue;
    const group = { start: index, end: index + word.length, digits: word };
    const before = found.at(-1);
    if (before && SEPARATOR.test(text.slice(before.at(-1)?.end, index))) before.push(group);
    else found.push([group]);
  }
  return found;
}
