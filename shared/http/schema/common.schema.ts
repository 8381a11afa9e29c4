import * as z from 'zod';
import { COUNTRIES } from '#shared/domain/countries.catalog.ts';
import { isCurrency } from '#shared/domain/currencies.catalog.ts';
import { ID_PREFIX, type IdKind } from '#shared/kernel/ids.ts';

/** Half a surrogate pair does not survive UTF-8, and NUL ends a text at some providers: what arrives must be what was sent. */
const isPlainText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const NUMBER = 'Is beyond what can be stored exactly.';
/** Numbers nearer to zero, and whole ones further from it, would not come back as they were sent. */
export const ExactNumber = (message: string) =>
  z.number(message).refine((n) => n === 0 || (Math.abs(n) >= 1e-130 && (!Number.isInteger(n) || Number.isSafeInteger(n))), NUMBER);

/** Text as clients send it. */
export const Text = (max: number, min = 0) =>
  z
    .string('Must be text.')
    .min(min, `Must have at least ${min} character${min === 1 ? '' : 's'}.`)
    .max(max, `Must have at most ${max} characters.`)
    .refine(isPlainText, 'Must be well-formed Unicode without NUL.');

/** What a person calls a thing. */
export const Name = Text(200).refine((text) => text.trim() !== '', 'Must not be blank.');

const AMOUNT = 'Must be a whole number of minor units, 1 to 99999999999.';
export const Amount = z
  .int({ error: AMOUNT, abort: true })
  .min(1, AMOUNT)
  .max(99_999_999_999, AMOUNT)
  .meta({ description: 'In minor units of the currency: JPY 0, USD 2, KWD 3 decimals.' });

const CURRENCY = 'Must be a currency of ISO 4217, such as EUR.';
export const Currency = z
  .string(CURRENCY)
  .regex(/^[A-Za-z]{3}$/, { error: CURRENCY, abort: true })
  .toUpperCase()
  .refine(isCurrency, CURRENCY)
  .meta({ description: 'ISO 4217, in any case; answered in upper case.', example: 'EUR' });

const COUNTRY = 'Must be a country of ISO 3166-1 alpha-2, such as DE.';
export const Country = z
  .string(COUNTRY)
  .regex(/^[A-Za-z]{2}$/, { error: COUNTRY, abort: true })
  .toUpperCase()
  .refine((code) => COUNTRIES.has(code), COUNTRY)
  .meta({ description: 'ISO 3166-1 alpha-2, in any case; answered in upper case.', example: 'DE' });

/** How a customer pays: `card`, `ideal` …; which ones there are is the adapters' matter. */
export const Method = z.string('Must be a payment method, such as card.').regex(/^[a-z][a-z0-9_]{0,39}$/, 'Must be a payment method, such as card.');

const METADATA_VALUE = 'Must be text of at most 500 characters, a number, true or false.';
const metadataText = z.string().max(500, METADATA_VALUE).refine(isPlainText, METADATA_VALUE);
export const Metadata = z
  .record(Text(40, 1), z.union([metadataText, ExactNumber(METADATA_VALUE), z.boolean()], METADATA_VALUE), {
    error: ({ code }) => (code === 'invalid_key' ? 'A key must have 1 to 40 characters.' : 'Must be an object of text, numbers, true and false.'),
  })
  .refine((metadata) => Object.keys(metadata).length <= 50, 'Must have at most 50 keys.')
  .meta({
    id: 'Metadata',
    description: 'Up to 50 keys. It stays in our record: a provider gets only `org_id`, `connection_id`, `payment_id` and `customer_email`.',
  });

const DATE_TIME = 'Must be a date-time of ISO 8601, such as 2026-01-31T12:00:00Z.';

/**
 * A moment in any time zone, as we write it. What is before 1970 is before everything we have. The last hours of the year
 * 9999 are in the year 10000 elsewhere, which is written otherwise and would sort before everything.
 */
export const Timestamp = z.iso
  .datetime({ offset: true, error: DATE_TIME })
  .transform((text) => new Date(Math.max(0, Date.parse(text))).toISOString())
  .refine((text) => text.length === '2026-01-31T12:00:00.000Z'.length, DATE_TIME);

/** A path's id. Any text passes: a malformed id is answered like one that never existed. */
export const IdParam = (kind: IdKind) => z.object({ id: z.string().meta({ example: `${ID_PREFIX[kind]}_01jzzzzzzzfz0a1b2c3d4e5f6g` }) });

/** What every delete answers. */
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

/** Gives the position that `writeCursor` took. `isPosition`: a client's text never reaches a key unchecked. */
const Cursor = (isPosition: (position: string) => boolean) =>
  z.string().transform((text, context) => {
    const position = readCursor(text);
    if (position !== undefined && isPosition(position)) return position;
    context.addIssue({ code: 'custom', message: 'Must be the cursor of an earlier page.' });
    return z.NEVER;
  });

type ListOptions = {
  /** What may stand in a cursor of this list; an id, unless said otherwise. */
  readonly isPosition?: (position: string) => boolean;
  readonly mostLimit?: number;
  /** Where cost grows with the offset; the cursor goes on beyond it. */
  readonly mostOffset?: number;
};

/** For a list that is read whole anyway: whatever is skipped costs nothing. */
export const ANY_OFFSET = 999_999_999;

const looksLikeId = (position: string): boolean => /^[a-z]{2,5}_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(position);

/** The query of a list: its page, and the filters it has besides. */
export const ListQuery = <E extends z.ZodRawShape>(filters: E, options: ListOptions = {}) => {
  const { isPosition = looksLikeId, mostLimit = 200, mostOffset = 10_000 } = options;
  return z.strictObject({
    limit: wholeNumber(1, mostLimit)
      .default(50)
      .meta({ override: { default: 50 } }),
    offset: wholeNumber(0, mostOffset)
      .default(0)
      .meta({ override: { default: 0 } }),
    cursor: Cursor(isPosition).optional().meta({ description: 'From the `Link` header of the page before: such a page costs the same however deep it lies.' }),
    ...filters,
  });
};

/**
 * The `Link` header to the page after this one. `url`: the list's whole address; `query` as it was parsed, whose offset
 * has been gone by already.
 */
export function nextLink(url: string, query: Readonly<Record<string, string | number | undefined>>, next: string | undefined): string | undefined {
  if (next === undefined) return undefined;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && name !== 'offset' && name !== 'cursor') parameters.set(name, String(value));
  }
  parameters.set('cursor', writeCursor(next));
  return `<${url}?${parameters}>; rel="next"`;
}
