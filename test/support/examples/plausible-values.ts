import { ID_PREFIX } from '#shared/kernel/ids.ts';

/**
 * Replaces what differs from run to run, and what must not be published, by constant values that look real: ids,
 * times, secrets, tokens, addresses. The same value gets the same replacement within one example. No replacement is
 * long enough for a secret scanner.
 */
export function plausible<T>(example: T): T {
  const values: Values = { seen: new Map(), times: timesOf(example), days: daysOf(example) };
  return replaced(example, '', values) as T;
}

type Values = {
  readonly seen: Map<string, string>;
  /** Sorted, in milliseconds. */
  readonly times: readonly number[];
  readonly days: readonly number[];
};

const BASE_TIME = Date.parse('2026-03-02T09:30:00.000Z');
const BASE_DAY = Date.parse('2026-03-02');
const MINUTE_MS = 60_000;
const LATENCY_MS = 240;
/** Waits that the service always says, and one for those that it computes. */
const WAITS = [1, 5, 60];
const WAIT_SECONDS = 30;
/** 24 of an id's 26 characters; the last two count. */
const ID_START = '01k5b9m3q8tv2wx4y6z8a0b1';

const ID = `\\b(?:${Object.values(ID_PREFIX).join('|')})_[0-7][0-9a-hjkmnp-tv-z]{25}`;
const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:\\d\\d)';
const DAY = '\\b\\d{4}-\\d\\d-\\d\\d\\b';
const HOST = 'https?://(?:127\\.0\\.0\\.1|localhost)(?::\\d+)?';
const HERE = '\\b(?:127\\.0\\.0\\.1|localhost)\\b';
const EMAIL = '[\\w.+-]+@[\\w.-]+\\.\\w+';
/** Letters and digits mixed, as nobody writes them. */
const MIXED = '(?<![\\w-])(?=[\\w-]*\\d[\\w-]*[A-Za-z][\\w-]*\\d|[\\w-]*[A-Za-z][\\w-]*\\d[\\w-]*\\d)[\\w-]{12,}';
/** Small and capital letters mixed, and long numbers, as references are. */
const REFERENCE = '(?<![\\w-])(?:(?=[\\w-]*\\d)(?=[\\w-]*[a-z])(?=[\\w-]*[A-Z])[\\w-]{16,}|\\d{12,}(?![\\w-]))';
const ANY = new RegExp([ID, TIME, DAY, HOST, HERE, EMAIL, MIXED, REFERENCE].map((each) => `(${each})`).join('|'), 'g');

function replaced(node: unknown, name: string, values: Values): unknown {
  // A list of `credentials` is one of passkeys.
  const nameOfItems = name === 'credentials' ? 'passkey' : name;
  if (Array.isArray(node)) return node.map((each) => replaced(each, nameOfItems, values));
  if (name === 'client_secret' && typeof node === 'string') return clientSecret(node, values);
  if (typeof node === 'string') return byName(node, name) ?? replacedText(node, values);
  if (typeof node === 'number') return plausibleNumber(node, name);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      replacedText(key, values),
      replaced(value, name === 'credentials' ? SECRET : key, values),
    ]),
  );
}

/** For the fields of `credentials`, which have names of their own at each provider. */
const SECRET = 'a secret';

/** What a clock has measured. */
function plausibleNumber(value: number, name: string): number {
  if (name === 'retry_after') return WAITS.includes(value) ? value : WAIT_SECONDS;
  return /_ms$|^latency_diff$/.test(name) && value !== 0 ? LATENCY_MS : value;
}

const TEXTS: Readonly<Record<string, string>> = {
  signing_secret: 'whsec_example',
  secret: 'EXAMPLESECRET234',
  otpauth_url: 'otpauth://totp/Payfork:ada%40shop.example?secret=EXAMPLESECRET234&issuer=Payfork',
  recovery_codes: 'example-code',
  next_cursor: 'ZXhhbXBsZQ',
  ...Object.fromEntries(
    ['challenge', 'rawId', 'clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'].map(
      (field) => [field, 'ZXhhbXBsZQ'],
    ),
  ),
};

/** It begins with the id of its payment. */
const clientSecret = (text: string, values: Values): string =>
  `${replacedText(text.split('_secret_')[0] ?? '', values)}_secret_example`;

/** Secrets have names. */
function byName(text: string, name: string): string | undefined {
  if (name === 'key' || name === SECRET) return shortSecret(text);
  if (name === 'code' && /^\d{6}$/.test(text)) return '123456';
  if (name === 'callback_url') return text.replace(/\?.*/, '?c=example').replace(new RegExp(HOST), ADDRESS);
  return TEXTS[name];
}

const shortSecret = (text: string): string => {
  const [prefix = ''] = /^(?:[A-Za-z]+[_-])*(?=[^_-]*$)/.exec(text.replace(/^((?:pfk|sk|pk)_\w+?_).*/, '$1x')) ?? [];
  return `${prefix}example`;
};

const ADDRESS = 'https://api.payfork.example';
const EMAILS = ['ada@customer.example', 'grace@customer.example', 'alan@customer.example'];

function replacedText(text: string, values: Values): string {
  return text
    .replace(/(?<=in )\d+(?= s(econds)?\b)/, String(WAIT_SECONDS))
    .replace(ANY, (found, id, time, day, host, here, email) => {
      if (time !== undefined) return near(Date.parse(found), values.times, BASE_TIME, MINUTE_MS).toISOString();
      if (day !== undefined) return near(Date.parse(found), values.days, BASE_DAY, 1).toISOString().slice(0, 10);
      if (host !== undefined) return ADDRESS;
      if (here !== undefined) return found === 'localhost' ? 'api.payfork.example' : '203.0.113.7';
      const known = values.seen.get(found);
      if (known !== undefined) return known;
      const kind = kindOf(found, { id, email });
      const count = [...values.seen.keys()].filter((each) => each.startsWith(`${kind} `)).length;
      const made = madeUp(kind, count, found);
      values.seen.set(`${kind} ${found}`, made).set(found, made);
      return made;
    });
}

function kindOf(found: string, { id, email }: { readonly id?: string; readonly email?: string }): string {
  if (id !== undefined) return found.slice(0, found.indexOf('_') + 1);
  return email === undefined ? '#' : '@';
}

function madeUp(kind: string, count: number, found: string): string {
  if (kind === '@') return EMAILS[count % EMAILS.length] ?? '';
  if (kind === '#') return `${/^[a-z]{2,5}_/.exec(found)?.[0] ?? ''}example${count + 1}`;
  return `${kind}${ID_START}${String(count + 1).padStart(2, '0')}`;
}

/** As far from the first of all as it was, in whole minutes: what took a second has no part in an example. */
function near(at: number, all: readonly number[], base: number, step: number): Date {
  const [first = at] = all;
  return new Date(base + Math.round((at - first) / step) * step);
}

const textsIn = (node: unknown): readonly string[] =>
  typeof node === 'string' ? [node] : Object.values(Object(node)).flatMap(textsIn);

const foundIn = (example: unknown, pattern: string): readonly number[] =>
  textsIn(example)
    .flatMap((text) => text.match(new RegExp(pattern, 'g')) ?? [])
    .map((text) => Date.parse(text))
    .filter((at) => !Number.isNaN(at))
    .sort((a, b) => a - b);

const timesOf = (example: unknown) => foundIn(example, TIME);
const daysOf = (example: unknown) => foundIn(example, `${DAY}(?!T)`);
