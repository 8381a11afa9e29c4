import { describe, expect, it } from 'vitest';
import { printComment, printType, type Schema } from '#lib/client/print-type.ts';

const cases: readonly (readonly [title: string, schema: Schema, type: string])[] = [
  ['text, whatever its format', { type: 'string', format: 'date-time', maxLength: 3 }, 'string'],
  ['whole numbers and others alike', { anyOf: [{ type: 'integer' }, { type: 'number' }] }, 'number'],
  ['what may be null', { type: ['string', 'null'] }, 'string | null'],
  ['a list of values', { type: 'string', enum: ['a', "it's"] }, "'a' | 'it\\'s'"],
  ['one value', { type: 'boolean', const: false }, 'false'],
  ['another type by its name', { $ref: '#/components/schemas/Payment' }, 'Payment'],
  ['lists that may not be changed', { type: 'array', items: { type: 'string' } }, 'readonly string[]'],
  ['lists of several types', { type: 'array', items: { type: ['string', 'null'] } }, 'readonly (string | null)[]'],
  ['lists of anything', { type: 'array' }, 'readonly unknown[]'],
  ['either of two', { oneOf: [{ $ref: '#/a/b/A' }, { $ref: '#/a/b/B' }] }, 'A | B'],
  ['both of two', { allOf: [{ $ref: '#/a/b/A' }, { $ref: '#/a/b/B' }] }, 'A & B'],
  ['both of two, of which one is a union', { allOf: [{ $ref: '#/a/b/A' }, { enum: ['a', 'b'] }] }, "A & ('a' | 'b')"],
  ['what can never be', { not: {} }, 'never'],
  ['anything', {}, 'unknown'],
  ['an object without fields', { type: 'object', properties: {}, additionalProperties: false }, 'NoInput'],
  ['texts by any name', { type: 'object', additionalProperties: { type: 'string' } }, '{ [name: string]: string }'],
  [
    'texts by some names',
    { type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: { type: 'string' } },
    "{ [name in 'a' | 'b']?: string }",
  ],
  [
    'an object, and which fields it always has',
    { type: 'object', properties: { id: { type: 'string' }, 'a-b': { type: 'null' } }, required: ['id'] },
    "{\n  id: string;\n  'a-b'?: null;\n}",
  ],
  [
    'an object that may have more fields than those it names',
    { type: 'object', properties: { id: { type: 'string' } }, additionalProperties: {} },
    '{\n  id?: string;\n  [name: string]: unknown;\n}',
  ],
];

describe('the type of a schema', () => {
  it.each(cases)('prints %s', (_, schema, type) => expect(printType(schema)).toBe(type));

  it('has a line for each value of a long list', () => {
    const values = Array.from({ length: 9 }, (_, n) => `a_long_value_${n}`);
    expect(printType({ type: 'string', enum: values }).split('\n').slice(1, 3)).toEqual([
      "  | 'a_long_value_0'",
      "  | 'a_long_value_1'",
    ]);
  });

  it('is not printed where a keyword has a meaning that the printer does not know', () => {
    expect(() => printType({ type: 'array', prefixItems: [] } as Schema)).toThrow('does not know prefixItems');
  });
});

describe('a comment', () => {
  it('cannot be ended by the description that it shows', () => {
    expect(printComment('A path like */5.', '  ')).toBe('  /** A path like *\\/5. */\n');
  });

  it('has no line over 120 columns', () => {
    const lines = printComment('words and more words '.repeat(20).trim(), '    ').split('\n');
    expect(lines.length).toBeGreaterThan(4);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120);
  });
});
