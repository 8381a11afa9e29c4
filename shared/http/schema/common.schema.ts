import * as z from 'zod';
import { COUNTRIES } from '#shared/domain/reference/countries.catalog.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';
import { isEmail, MAX_EMAIL } from '#shared/domain/reference/email.rules.ts';
import { ID_PREFIX, type IdKind } from '#shared/kernel/ids.ts';
import { trimPasted } from '#shared/kernel/text.ts';

/** A lone surrogate does not survive UTF-8, and NUL ends a text at some providers: input must arrive unchanged. */
const isPlainText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const NUMBER = 'Is beyond what can be stored exactly.';
/** Numbers closer to zero, and larger integers, would not be stored exactly. */
export const ExactNumber = (message: string) =>
  z
    .number(message)
    .refine((n) => n === 0 || (Math.abs(n) >= 1e-130 && (!Number.isInteger(n) || Number.isSafeInteger(n))), NUMBER);

export const Flag = z.boolean('Must be true or false.');

/** Text as clients send it. */
export const Text = (max: number, min = 0) =>
  z
    .string('Must be text.')
    .min(min, `Must have at least ${min} character${min === 1 ? '' : 's'}.`)
    .max(max, `Must have at most ${max} characters.`)
    .refine(isPlainText, 'Must be well-formed Unicode without NUL.');

/** Text that people paste: an address, a name. Blanks and invisible characters at its ends are dropped. */
const PastedText = (max: number) => Text(max).overwrite(trimPasted);

/** The address of a server. Who may be called is checked where it is stored and called. */
export const PastedUrl = PastedText(2_000).min(1, 'Must have at least 1 character.');

/** A name that a person chooses. */
export const Name = PastedText(200)
  .refine((text) => text !== '', 'Must not be blank.')
  .meta({ override: { minLength: 1, pattern: '\\S' } });

const EMAIL = 'Must be an email address.';
const EmailOf = (max: number, tooLong: string) =>
  z
    .string(EMAIL)
    .overwrite(trimPasted)
    .max(max, tooLong)
    .refine(isEmail, EMAIL)
    .meta({ override: { format: 'email' } });

/** The address of a user, who gets mail from us. */
export const Email = EmailOf(254, 'Must have at most 254 characters.');

/** The address of a customer, which goes to providers. */
export const CustomerEmail = EmailOf(MAX_EMAIL, `Must be an email address of at most ${MAX_EMAIL} characters.`);

export const MAX_AMOUNT = 99_999_999_999;
const AMOUNT = `Must be a whole number of minor units, 1 to ${MAX_AMOUNT}.`;
export const Amount = z.int({ error: AMOUNT, abort: true }).min(1, AMOUNT).max(MAX_AMOUNT, AMOUNT);

const CURRENCY = 'Must be a currency of ISO 4217, such as EUR.';
export const Currency = z
  .string(CURRENCY)
  .regex(/^[A-Za-z]{3}$/, { error: CURRENCY, abort: true })
  .toUpperCase()
  .refine((code) => CURRENCIES[code] !== undefined, CURRENCY)
  .meta({ example: 'EUR' });

const CurrencyName = z
  .string(CURRENCY)
  .regex(/^[A-Za-z]{3}$/, { error: CURRENCY, abort: true })
  .refine((code) => CURRENCIES[code.toUpperCase()] !== undefined, CURRENCY);
const upperCaseKeys = <T>(lines: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(lines).map(([name, line]) => [name.toUpperCase(), line]));

/** An entry for each currency, in any case. Two spellings of one currency are an error. */
export const ByCurrency = <T extends z.ZodType>(value: T) =>
  z
    .record(CurrencyName, value)
    .refine(
      (lines) => Object.keys(upperCaseKeys(lines)).length === Object.keys(lines).length,
      'Must name each currency once, in any case.',
    )
    .overwrite(upperCaseKeys);

const COUNTRY = 'Must be a country of ISO 3166-1 alpha-2, such as DE.';
export const Country = z
  .string(COUNTRY)
  .regex(/^[A-Za-z]{2}$/, { error: COUNTRY, abort: true })
  .toUpperCase()
  .refine((code) => COUNTRIES.has(code), COUNTRY)
  .meta({ example: 'DE' });

/** A payment method: `card`, `ideal` …; the adapters say which ones exist. */
export const Method = z
  .string('Must be a payment method, such as card.')
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'Must be a payment method, such as card.');

export const CaptureMode = z.enum(['automatic', 'manual'], 'Must be automatic or manual.');

const METADATA_VALUE = 'Must be text of at most 500 characters, a number, true or false.';
const metadataText = z.string().max(500, METADATA_VALUE).refine(isPlainText, METADATA_VALUE);
export const Metadata = z
  .record(Text(40, 1), z.union([metadataText, ExactNumber(METADATA_VALUE), z.boolean()], METADATA_VALUE), {
    error: ({ code }) =>
      code === 'invalid_key'
        ? 'A key must have 1 to 40 characters.'
        : 'Must be an object of text, numbers, true and false.',
  })
  .refine((metadata) => Object.keys(metadata).length <= 50, 'Must have at most 50 keys.')
  .meta({ id: 'Metadata' });

const DATE_TIME = 'Must be a date-time of ISO 8601, such as 2026-01-31T12:00:00Z.';

/**
 * A time in any zone, normalized to UTC with milliseconds. Times before 1970 are earlier than all stored data. The last
 * hours of 9999 are in the year 10000 in other zones, which is written differently and would sort before everything.
 */
export const Timestamp = z.iso
  .datetime({ offset: true, error: DATE_TIME })
  .transform((text) => new Date(Math.max(0, Date.parse(text))).toISOString())
  .refine((text) => text.length === '2026-01-31T12:00:00.000Z'.length, DATE_TIME);

/** An id in a path. Any text passes: a malformed id gets the same response as an unknown one. */
export const IdParam = (kind: IdKind) =>
  z.object({ id: z.string().meta({ example: `${ID_PREFIX[kind]}_01jzzzzzzzfz0a1b2c3d4e5f6g` }) });

/** Actions without input still reject unknown fields. */
export const NoBody = z.strictObject({});

/** The response of every delete. */
export const DeletedReply = z.object({ id: z.string(), deleted: z.literal(true) }).meta({ id: 'Deleted' });

const wholeNumber = (min: number, max: number) => {
  const message = `Must be a whole number, ${min} to ${max}.`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error: message, abort: true })
    .transform(Number)
    .refine((n) => n >= min && n <= max, message)
    .meta({ override: { type: 'integer', minimum: min, maximum: max, pattern: undefined } });
};

export const writeCursor = (position: string): string => Buffer.from(position).toString('base64url');

function readCursor(cursor: string): string | undefined {
  const position = Buffer.from(cursor, 'base64url').toString();
  return position !== '' && writeCursor(position) === cursor ? position : undefined;
}

/** Reads the position that `writeCursor` wrote. `isPosition` keeps a client's text from reaching a key unchecked. */
const Cursor = (isPosition: (position: string) => boolean) =>
  z.string().transform((text, context) => {
    const position = readCursor(text);
    if (position !== undefined && isPosition(position)) return position;
    context.addIssue({ code: 'custom', message: 'Must be the cursor of an earlier page.' });
    return z.NEVER;
  });

type ListOptions = {
  /** Validates a cursor's position; an id by default. */
  readonly isPosition?: (position: string) => boolean;
  readonly maxLimit?: number;
  /** The largest offset where its cost grows; cursors go beyond it. */
  readonly maxOffset?: number;
};

/** Items of a page: by default, and at most unless a list says otherwise. */
export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** For a list that is read whole: skipping is free. */
export const ANY_OFFSET = 999_999_999;

const looksLikeId = (position: string): boolean => /^[a-z]{2,5}_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(position);

const page = { limit: z.number(), offset: z.number(), next_cursor: z.string().nullable() };

/** `pagination` in the reply of a list that knows its length. */
export const CountedPagination = z.object({ ...page, total: z.number() });

/** `pagination` in the reply of a list that would have to be read whole to be counted. */
export const Pagination = z.object({ ...page, has_more: z.boolean() });

/** A list's query: its page, and its own filters. */
export const ListQuery = <E extends z.ZodRawShape>(filters: E, options: ListOptions = {}) => {
  const { isPosition = looksLikeId, maxLimit = MAX_LIMIT, maxOffset = 10_000 } = options;
  return z.strictObject({
    limit: wholeNumber(1, maxLimit)
      .default(DEFAULT_LIMIT)
      .meta({ override: { default: DEFAULT_LIMIT } }),
    offset: wholeNumber(0, maxOffset)
      .default(0)
      .meta({ override: { default: 0 } }),
    cursor: Cursor(isPosition).optional(),
    ...filters,
  });
};

/** The filters of a list by creation time. */
export const createdRange = {
  created_after: Timestamp.optional(),
  created_before: Timestamp.optional(),
};
