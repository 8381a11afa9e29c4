import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { faultsOf } from '#shared/domain/reference/validation-messages.rules.ts';
import { nextLink } from '#shared/http/response.ts';
import {
  Amount,
  ByCurrency,
  Country,
  Currency,
  ListQuery,
  Metadata,
  Name,
  Timestamp,
  writeCursor,
} from '#shared/http/schema/common.schema.ts';
import { DETAILS } from '#shared/http/schema/payment-details.schema.ts';
import type { FieldError } from '#shared/kernel/errors.ts';
import { OURS } from '#test/http/bad-input.support.ts';

const faults = (shape: z.ZodType, value: unknown) =>
  shape.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('an amount', () => {
  it.each([1, 1_999, 99_999_999_999])('accepts %s', (amount) => expect(Amount.parse(amount)).toBe(amount));
  it.each([0, -1, 1.5, 100_000_000_000, 1e21, Number.POSITIVE_INFINITY, '100', null, undefined, true, [100]])(
    'rejects %s',
    (amount) => {
      expect(faults(Amount, amount)).toEqual([': Must be a whole number of minor units, 1 to 99999999999.']);
    },
  );
});

describe('a phone number', () => {
  const { billing } = DETAILS;
  it.each([
    ['+49 30 123456', '+4930123456'],
    ['+49 (0)30/123-456', '+4930123456'],
    ['+44 (0) 20 7183.8750', '+442071838750'],
    ['+39 (0)6 123456', '+3906123456'],
    ['+1 (415) 555-2671', '+14155552671'],
    ['+62 812 3456 78902', '+62812345678902'],
  ])('is written as %s and means %s', (written, phone) => expect(billing.parse({ phone: written })).toEqual({ phone }));
});

describe('codes', () => {
  it.each(['EUR', 'eur', 'Eur'])('of currencies are accepted in any case: %s', (code) =>
    expect(Currency.parse(code)).toBe('EUR'),
  );
  it.each(['DE', 'de'])('of countries are accepted in any case: %s', (code) => expect(Country.parse(code)).toBe('DE'));
  it.each(['XXX', 'EURO', '', 'ıdr', 978, null])('of unknown currencies are rejected: %s', (code) =>
    expect(faults(Currency, code)).toHaveLength(1),
  );
  it.each(['XX', 'DEU', 'UK', '', 49])('of unknown countries are rejected: %s', (code) =>
    expect(faults(Country, code)).toHaveLength(1),
  );
});

describe('amounts by currency', () => {
  const Amounts = ByCurrency(Amount);
  it('are kept in upper case', () =>
    expect(Amounts.parse({ eur: 5, USD: 7, Jpy: 9 })).toEqual({ EUR: 5, USD: 7, JPY: 9 }));
  it.each([
    ['two spellings of one currency', { eur: 5, USD: 7, EUR: 9 }, [': Must name each currency once, in any case.']],
    [
      'no currency',
      { XXZ: 5, euro: 5 },
      ['XXZ', 'euro'].map((key) => `${key}: Must be a currency of ISO 4217, such as EUR.`),
    ],
  ])('cannot have %s', (_, sent, expected) =>
    expect(
      Amounts.safeParse(sent)
        .error?.issues.flatMap((issue) => faultsOf(issue))
        .map(told),
    ).toEqual(expected),
  );

  const told = ({ path, message }: FieldError) => `${path}: ${message}`;
});

it('no record in a request body rewrites its keys, so that no entry is lost when two keys become equal', () => {
  const names = OURS.flatMap(({ body }) => (body ? [...recordsIn(body)] : [])).map(
    ({ keyType }) => keyType as z.ZodType,
  );
  expect(
    names.filter((name) => ['eur', 'Eur', ' EUR'].some((text) => (name.safeParse(text).data ?? text) !== text)),
  ).toEqual([]);
  expect(names.length).toBeGreaterThan(10);
});

function* recordsIn(shape: unknown, seen = new Set<unknown>()): Generator<z.ZodRecord> {
  if (typeof shape !== 'object' || shape === null || seen.has(shape)) return;
  seen.add(shape);
  if (shape instanceof z.ZodRecord) yield shape;
  for (const inner of Object.values(
    shape instanceof z.ZodType ? { ...shape.def, ...(shape instanceof z.ZodObject && shape.shape) } : shape,
  ))
    yield* recordsIn(inner, seen);
}

describe('metadata', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, n]));
  it.each([
    ['no entries', {}],
    ['text, numbers and booleans', { a: 'x'.repeat(500), b: -1.5, c: false }],
    ['50 keys', keys(50)],
    ['keys of 40 characters', { ['k'.repeat(40)]: '' }],
  ])('can have %s', (_, metadata) => expect(Metadata.parse(metadata)).toEqual(metadata));
  it.each([
    ['51 keys', keys(51), [': Must have at most 50 keys.']],
    ['a key of 41 characters', { ['k'.repeat(41)]: 1 }, [`${'k'.repeat(41)}: A key must have 1 to 40 characters.`]],
    ['501 characters', { a: 'x'.repeat(501) }, ['a: Must be text of at most 500 characters, a number, true or false.']],
    [
      'objects',
      { a: {}, b: null },
      ['a', 'b'].map((key) => `${key}: Must be text of at most 500 characters, a number, true or false.`),
    ],
    ['half a surrogate pair', { a: '\ud800' }, ['a: Must be text of at most 500 characters, a number, true or false.']],
    ['a list', [], [': Must be an object of text, numbers, true and false.']],
  ])('cannot have %s', (_, metadata, expected) => expect(faults(Metadata, metadata)).toEqual(expected));
});

describe('text', () => {
  it.each(['', '   ', 'x'.repeat(201), '\udc00', 5])('cannot be %j in a name', (name) =>
    expect(faults(Name, name)).toHaveLength(1),
  );
});

describe('a timestamp', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.123+02:00', '2026-01-31T10:00:00.123Z'],
    ['0001-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ])('is written in one format: %s', (text, expected) => expect(Timestamp.parse(text)).toBe(expected));
  it.each(['yesterday', '2026-01-31', '2026-02-30T00:00:00Z', '1767225600'])('is not %s', (text) =>
    expect(faults(Timestamp, text)).toHaveLength(1),
  );
});

describe("a list's query", () => {
  const Query = ListQuery({ status: z.enum(['open', 'paid']).optional() });
  const id = 'inv_01jzzzzzzzfz0a1b2c3d4e5f6g';

  it('defaults to the first 50 items', () => expect(Query.parse({})).toEqual({ limit: 50, offset: 0 }));
  it('parses numbers and the position of the cursor', () => {
    expect(Query.parse({ limit: '200', offset: '10000', cursor: writeCursor(id), status: 'open' })).toEqual({
      limit: 200,
      offset: 10_000,
      cursor: id,
      status: 'open',
    });
  });
  it.each([
    ['limit', '0'],
    ['limit', '201'],
    ['limit', '1.5'],
    ['limit', ''],
    ['offset', '-1'],
    ['offset', '10001'],
    ['cursor', id],
    ['cursor', writeCursor('anything else')],
    ['status', 'lost'],
    ['foo', '1'],
  ])('rejects %s=%s', (name, value) => expect(faults(Query, { [name]: value })).toHaveLength(1));

  it('makes a Link to the next page with the filters and without the offset', () => {
    const link = nextLink(
      'https://api.example.com/v1/invoices',
      { limit: 2, offset: 4, status: 'open', customer_id: undefined },
      id,
    );
    expect(link).toBe(
      `<https://api.example.com/v1/invoices?limit=2&status=open&cursor=${writeCursor(id)}>; rel="next"`,
    );
  });
  it('makes no Link on the last page', () =>
    expect(nextLink('https://api.example.com/v1/invoices', { limit: 2 }, undefined)).toBeUndefined());
});
