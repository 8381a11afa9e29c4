import { describe, expect, it } from 'vitest';
import type { Condition, ItemChange, PageQuery, Range, TablePort, Write } from '#shared/store/table/table.port.ts';
import { fresh, seed, wild } from '#test/contract/table/fresh.ts';

const REFUSED = { name: 'TableError', kind: 'invalid', outcome: 'not_done' };

const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)]);

class Instance {
  readonly a = 1;
}

const VALUES: readonly (readonly [string, unknown])[] = [
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['an unsafe whole number', 2 ** 53],
  ['a number too near to zero', 1e-131],
  ['a BigInt', 1n],
  ['a Date', new Date(0)],
  ['a Map', new Map()],
  ['a Buffer', Buffer.from('x')],
  ['an instance of a class', new Instance()],
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
  ['half a surrogate pair', '\uD83D'],
  ['an array with a hole', new Array(1)],
  ['undefined in a list', [undefined]],
  ['NaN in a map', { a: { b: Number.NaN } }],
  ['an empty name in a map', { '': 1 }],
  ['more than 32 levels', nested(32)],
];

const INDEX_VALUES: readonly (readonly [string, unknown])[] = [
  ['a number', 1],
  ['null', null],
  ['an empty text', ''],
  ['more than 1,024 bytes', 'x'.repeat(1_025)],
];

const KEYS: readonly (readonly [string, object])[] = [
  ['an empty pk', { pk: '', sk: 'x' }],
  ['an empty sk', { pk: 'x', sk: '' }],
  ['no sk', { pk: 'x' }],
  ['a number', { pk: 'x', sk: 1 }],
  ['a pk of more than 2,048 bytes', { pk: `${'é'.repeat(1_024)}x`, sk: 'x' }],
  ['an sk of more than 1,024 bytes', { pk: 'x', sk: `${'é'.repeat(512)}x` }],
  ['half a surrogate pair', { pk: 'x', sk: '\uDE00' }],
];

const CHANGES: readonly (readonly [string, object])[] = [
  ['nothing', {}],
  ['nothing in three ways', { set: {}, add: {}, remove: [] }],
  ['its pk', { set: { pk: 'y' } }],
  ['its sk away', { remove: ['sk'] }],
  ['an attribute twice', { set: { a: 1 }, add: { a: 1 } }],
  ['an attribute away twice', { remove: ['a', 'a'] }],
  ['by a part of a number', { add: { a: 0.5 } }],
  ['by a text', { add: { a: '1' } }],
  ['by an unsafe number', { add: { a: 2 ** 53 } }],
  ['an attribute without a name', { set: { '': 1 } }],
  ['an index key into a number', { set: { due_pk: 1 } }],
  ['an index key by counting', { add: { due_sk: 1 } }],
  ['to undefined', { set: { a: undefined } }],
  ['more than 100 attributes', { remove: Array.from({ length: 101 }, (_, n) => `a${n}`) }],
  ['in an unknown way', { set: { a: 1 }, append: { a: 1 } }],
];

const CONDITIONS: readonly (readonly [string, object])[] = [
  ['no operator', {}],
  ['an unknown operator', { like: ['a', 'b'] }],
  ['two operators', { exists: 'a', absent: 'b' }],
  ['no part of all', { all: [] }],
  ['no part of any', { any: [] }],
  ['an order of booleans', { lt: ['a', true] }],
  ['an order of null', { ge: ['a', null] }],
  ['NaN', { eq: ['a', Number.NaN] }],
  ['undefined', { ne: ['a', undefined] }],
  ['an empty name', { exists: '' }],
  ['101 terms', { any: Array.from({ length: 101 }, (_, n) => ({ eq: ['a', n] })) }],
];

const RANGES: readonly (readonly [string, object])[] = [
  ['two bounds', { ge: 'a', le: 'b' }],
  ['no bound', {}],
  ['an empty bound', { ge: '' }],
  ['an empty prefix', { prefix: '' }],
  ['a bound of more than 1,024 bytes', { le: 'x'.repeat(1_025) }],
  ['a number', { gt: 1 }],
  ['an end before its beginning', { between: ['b', 'a'] }],
  ['an end before its beginning by UTF-8 bytes', { between: ['😀', '\uE000'] }],
];

export function refusalsContract(table: () => TablePort): void {
  const refused = (call: Promise<unknown>) => expect(call).rejects.toMatchObject(REFUSED);

  describe('a value that the table rejects', () => {
    it.each(VALUES)('is %s', async (_, value) => {
      const item = wild(fresh(), { a: value });
      await refused(table().put(item));
      await refused(table().update(item, { set: { a: value } } as ItemChange));
      await refused(table().transact([{ put: item }], fresh()));
      expect(await table().get(item, { consistent: true })).toBeUndefined();
    });

    it('is nested more than 32 levels deep', async () =>
      expect((await table().put(wild(fresh(), { a: nested(31) }))).ok).toBe(true));
    it('has an attribute named __proto__', () =>
      refused(table().put(JSON.parse(`{"pk":"${fresh()}","sk":"x","__proto__":1}`))));
    it.each(INDEX_VALUES)('is %s as the key of an index', (_, value) =>
      refused(table().put(wild(fresh(), { due_sk: value }))),
    );
  });

  describe('a key that the table rejects', () => {
    it.each(KEYS)('has %s', async (_, wrong) => {
      const key = wrong as { pk: string; sk: string };
      await refused(table().get(key));
      await refused(table().getMany([key]));
      await refused(table().put({ ...key }));
      await refused(table().update(key, { set: { a: 1 } }));
      await refused(table().delete(key));
      await refused(table().transact([{ check: key, condition: { exists: 'a' } }], fresh()));
    });

    it('is requested twice in one call', () =>
      refused(
        table().getMany([
          { pk: 'a', sk: 'b' },
          { pk: 'a', sk: 'c' },
          { pk: 'a', sk: 'b' },
        ]),
      ));
    it('is the 101st of one call', () =>
      refused(table().getMany(Array.from({ length: 101 }, (_, n) => ({ pk: 'a', sk: String(n) })))));
  });

  describe('a change that the table rejects', () => {
    it.each(CHANGES)('changes %s', async (_, change) => {
      const item = { pk: fresh(), sk: 'x', a: 1 };
      await table().put(item);
      await refused(table().update(item, change as ItemChange));
      expect(await table().get(item, { consistent: true })).toEqual(item);
    });
  });

  describe('a condition that the table rejects', () => {
    it.each(CONDITIONS)('has %s', async (_, wrong) => {
      const [item, condition] = [wild(fresh(), {}), wrong as Condition];
      await refused(table().put(item, condition));
      await refused(table().update(item, { set: { a: 1 } }, condition));
      await refused(table().delete(item, condition));
      await refused(table().query({ pk: item.pk, limit: 1, filter: condition }));
    });

    it.each(['pk', 'sk'])('filters a query by %s', (name) =>
      refused(table().query({ pk: 'x', limit: 1, filter: { any: [{ exists: 'a' }, { eq: [name, 'x'] }] } })),
    );
  });

  describe('a page query that the table rejects', () => {
    const refusedPage = async (where: PageQuery) => {
      await refused(table().query(where));
      await refused(table().entries('due', where));
      await refused(table().count('due', where));
    };

    it.each(RANGES)('has a range of %s', (_, range) => refusedPage({ pk: 'x', limit: 1, range: range as Range }));
    it.each([0, -1, 1.5, Number.NaN])('has the limit %s', (limit) => refusedPage({ pk: 'x', limit }));
    it('has no partition', () => refusedPage({ pk: '', limit: 1 }));
    it.each(['', 'nonsense', Buffer.from('[1]').toString('base64url'), Buffer.from('["x"]').toString('base64url')])(
      'has the cursor "%s"',
      (after) => refusedPage({ pk: 'x', limit: 1, after }),
    );

    it('continues from a cursor of another partition, range or index', async () => {
      const [pk, part] = [fresh(), fresh()];
      await seed(table(), pk, ['a', 'b', 'c'], () => ({ due_pk: part, due_sk: 'a' }));
      const [{ next: after }, { next: entry }] = [
        await table().query({ pk, limit: 1 }),
        await table().entries('due', { pk: part, limit: 1 }),
      ];
      await refused(table().query({ pk: part, limit: 1, after }));
      await refused(table().query({ pk, limit: 1, after, range: { ge: 'b' } }));
      await refused(table().entries('due', { pk, limit: 1, after }));
      await refused(table().query({ pk: part, limit: 1, after: entry }));
    });
  });

  describe('a transaction that the table rejects', () => {
    const put = (sk: string): Write => ({ put: { pk: 'refused', sk } });

    it('has no writes', () => refused(table().transact([], fresh())));
    it('has 101 writes', () =>
      refused(
        table().transact(
          Array.from({ length: 101 }, (_, n) => put(String(n))),
          fresh(),
        ),
      ));
    it('writes an item twice', () =>
      refused(table().transact([put('a'), { delete: { pk: 'refused', sk: 'a' } }], fresh())));
    it.each(['', 'x'.repeat(37)])('has the token "%s"', (token) => refused(table().transact([put('a')], token)));
    it('has a check without a condition', () =>
      refused(table().transact([{ check: { pk: 'refused', sk: 'a' } } as unknown as Write], fresh())));
    it('has a write of an unknown kind', () =>
      refused(table().transact([{ upsert: { pk: 'refused', sk: 'a' } } as unknown as Write], fresh())));
  });
}
