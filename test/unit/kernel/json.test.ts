import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, parseJson, withoutDefaults } from '#shared/kernel/json.ts';

const pathsIn = (text: string): readonly string[] => parseJson(text).errors.map(({ path }) => path);

describe('JSON from a client', () => {
  it('has the value that JSON.parse reads, and no errors if it was written by JSON.stringify', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.constantFrom(0, 2, '\t'), (text, indent) => {
        const written = JSON.stringify(JSON.parse(text), null, indent);
        expect(parseJson(written)).toMatchObject({ value: JSON.parse(text), errors: [] });
      }),
    );
  });

  it('is a syntax error where it is for JSON.parse', () => {
    for (const text of ['', '{', '{"a":1,}', "{'a':1}", '[01]', '[NaN]', '"\n"', '{"a":1} {}'])
      expect(() => parseJson(text), text).toThrow(SyntaxError);
  });

  it.each<[string, string, readonly string[]]>([
    ['repeated', '{"a":1,"a":2}', ['a']],
    ['repeated three times', '{"a":1,"a":2,"a":3}', ['a', 'a']],
    ['repeated with escapes', '{"a":1,"\\u0061":2}', ['a']],
    ['repeated and empty', '{"":1,"":2}', ['']],
    ['repeated and named like a property of all objects', '{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['repeated within', '{"a":[{},{"b":1,"c":[1,{}],"b":2}]}', ['a.1.b']],
    ['repeated after an object', '{"a":{"b":1},"b":[],"a":2}', ['a']],
    ['a text before', '{"a":"a\\",\\"a","b":"{\\"a\\":1}"}', []],
    ['the same in other objects', '[{"a":1},{"a":{"a":1}}]', []],
  ])('names where a name is %s', (_, text, paths) => expect(pathsIn(text)).toEqual(paths));

  it('finds no more than one asks for, and none where no shape accepts anything', () => {
    expect(pathsIn(`{${'"a":1,'.repeat(1_000)}"a":1}`)).toHaveLength(100);
    expect(pathsIn(`${'['.repeat(50)}{"a":1,"a":1}${']'.repeat(50)}`)).toEqual([]);
  });

  it.each([
    '0',
    '-0',
    '0.0',
    '-0e5',
    '1e2',
    '1E+2',
    '100.0',
    '0.1',
    '5e-324',
    '1.7976931348623157e308',
    '9007199254740992',
  ])('may hold a number that is stored as it is written: %s', (number) =>
    expect(pathsIn(`{"a":[${number}]}`)).toEqual([]),
  );

  it.each([
    '4999.9999999999999999',
    '1.0000000000000000001',
    '0.10000000000000001',
    '9007199254740993',
    '1e400',
    '-1e400',
    '1e-400',
    '5e-325',
    '0.30000000000000004440892098500626',
  ])('must not hold a number that loses digits: %s', (number) =>
    expect(pathsIn(`{"a":[1,${number}]}`)).toEqual(['a.1']),
  );

  it('may hold every number that a program can write', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        for (const text of [String(number), number.toExponential()]) expect(pathsIn(`[${text}]`)).toEqual([]);
      }),
    );
  });
});

describe('the canonical form', () => {
  it('is the same for equal values, however they are written', () => {
    const one = '{"b":[1.0,{"d":"x","c":null}],"a":-0}';
    const other = ' { "a" : 0e3 , "b" : [ 1 , { "c" : null , "\\u0064" : "\\u0078" } ] } ';
    expect(canonicalJson(JSON.parse(one))).toBe(canonicalJson(JSON.parse(other)));
  });

  it('differs for different values', () => {
    const values = [{}, [], null, '', 0, '0', false, { a: 1 }, { a: '1' }, { a: [1] }, { a: { 0: 1 } }, [1, 2], [2, 1]];
    expect(new Set(values.map(canonicalJson)).size).toBe(values.length);
  });

  it('does not depend on the order of names', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('a validated value without its defaults', () => {
  it.each<[string, unknown, unknown, unknown]>([
    ['has the validated form of what was sent', { a: 'eur' }, { a: 'EUR' }, { a: 'EUR' }],
    ['has no field that was not sent', { a: 1 }, { a: 1, b: true }, { a: 1 }],
    ['has none within', { a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, { a: [{ b: 1 }] }],
    ['has no field that validation dropped', { a: 1, b: null }, { a: 1 }, { a: 1 }],
    ['has names that validation wrote in capitals', { a: { eur: 1 } }, { a: { EUR: 1 } }, { a: { EUR: 1 } }],
    ['has lists that validation shortened', { a: [1, 1] }, { a: [1] }, { a: [1] }],
    ['has what validation made of it', { a: 'x' }, { a: ['x'] }, { a: ['x'] }],
    ['is empty if nothing was sent', undefined, undefined, undefined],
  ])('%s', (_, sent, validated, expected) => expect(withoutDefaults(sent, validated)).toEqual(expected));
});
