import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { formatPosition, type ListPage } from '#shared/domain/reference/page.rules.ts';
import { derivedId, type IdKind, idFrom } from '#shared/kernel/ids.ts';
import { dueShards } from '#shared/store/keys.ts';
import type { ListQuery, PageLimits } from '#shared/store/list-records.ts';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';
import { changed } from '#test/support/memory-store.ts';
import { later, START } from '#test/support/stopped-clock.ts';

/** So few milliseconds that many records share one, and that bounds hit records exactly. */
const MOMENTS = 12;
const ALL: PageLimits = { records: 10_000, bytes: 1e9 };

type Name = 'status' | 'customer_id' | 'plan_id' | 'subscription_id' | 'payment_id' | 'provider';
type Fields = { readonly [name in Name]?: string };
type Filter = Fields & Pick<ListQuery, 'created_after' | 'created_before'>;
type Asked = Filter & Partial<ListQuery>;
type Sort = { readonly ms: number; readonly fields: Fields };

export type Listed = { readonly id: string; readonly org_id: string; readonly created_at: string };

/** A kind of record with lists, and the filters of its lists. */
export type ListedKind<T extends Listed> = {
  readonly name: string;
  readonly idKind: IdKind;
  /** The values of each filter; the first ones are more frequent. */
  readonly filters: { readonly [name in Name]?: readonly string[] };
  /** The fields that move a record to another list when they change. */
  readonly moving: readonly Name[];
  readonly make: (about: Listed & Fields) => T;
  readonly entity: { readonly toItem: (record: T) => Item; readonly fromItem: (item: Item) => T };
  /** When the record is due, and the record when nothing is due any more. */
  readonly due: { readonly at: string; readonly asks: Partial<T>; readonly rests: Partial<T> };
  list(table: TablePort, orgId: string, where: ListQuery & Filter, most?: PageLimits): Promise<ListPage<T>>;
};

export type MadeTable = {
  readonly store: string;
  readonly makeTable: () => Promise<TablePort>;
  readonly runs: number;
  readonly size: number;
};

const idsIn = ({ items }: ListPage<Listed>): string[] => items.map(({ id }) => id);
const bound = fc.nat(MOMENTS).map((ms) => later(ms).toISOString());

/** Often the first of them, so that filters match something. */
const often = ([first, ...others]: readonly string[]) =>
  fc.oneof(
    { weight: others.length, arbitrary: fc.constant(first!) },
    { weight: others.length, arbitrary: fc.constantFrom(...others) },
  );

/** Lists contain what they are defined to contain, for any request and any concurrent changes. */
export function recordLists<T extends Listed>(kind: ListedKind<T>, { store, makeTable, runs, size }: MadeTable): void {
  const names = Object.keys(kind.filters) as Name[];
  const valuesOf = (name: Name): readonly string[] => kind.filters[name] ?? [];
  const of = (record: T, name: Name): string | undefined => (record as Fields)[name];

  /** A list by definition: all matching records, newest first. */
  function fitting(records: readonly T[], { created_after, created_before, ...where }: Filter): string[] {
    const fits = (record: T) =>
      names.every((name) => where[name] === undefined || of(record, name) === where[name]) &&
      (created_after === undefined || record.created_at >= created_after) &&
      (created_before === undefined || record.created_at < created_before);
    const found = records.filter(fits).map(({ id }) => id);
    return found.sort().reverse();
  }

  function made(org_id: string, n: number, { ms, fields }: Sort): T {
    const at = later(ms);
    return kind.make({
      id: derivedId(kind.idKind, at, org_id, String(n)),
      org_id,
      created_at: at.toISOString(),
      ...fields,
    });
  }

  const firstOfEach: Fields = Object.fromEntries(names.map((name) => [name, valuesOf(name)[0]!]));
  const fields = fc.record(Object.fromEntries(names.map((name) => [name, often(valuesOf(name))])));
  const sort: fc.Arbitrary<Sort> = fc.record({ ms: fc.nat(MOMENTS), fields });
  const sorts = fc.array(sort, { maxLength: size });
  const asked: Readonly<Record<string, fc.Arbitrary<string>>> = {
    ...Object.fromEntries(names.map((name) => [name, often([...valuesOf(name), 'nothing'])])),
    created_after: bound,
    created_before: bound,
  };
  /** Usually one or two records, so that a rest remains. */
  const filter: fc.Arbitrary<Filter> = fc
    .subarray(Object.keys(asked), { maxLength: 3 })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, asked[name]!]))));

  describe(`a list of ${kind.name} on ${store}`, () => {
    let table: TablePort;
    let organizations = 0;
    beforeAll(async () => {
      table = await makeTable();
    });

    const save = (record: T) => table.put(kind.entity.toItem(record));
    const newOrganization = () => {
      organizations += 1;
      return derivedId('organization', START, kind.name, store, String(organizations));
    };

    /** A new organization with these records. */
    async function holding(all: readonly Sort[], org = newOrganization()) {
      const records = all.map((each, n) => made(org, n, each));
      await Promise.all(records.map(save));
      const list = (where: Asked, most = ALL) => kind.list(table, org, { limit: 50, offset: 0, ...where }, most);
      return { org, records, list };
    }

    type Holding = Awaited<ReturnType<typeof holding>>;

    /** All pages from the first to the last; `between` runs after each. */
    async function walk(
      { list }: Pick<Holding, 'list'>,
      where: Asked,
      most = ALL,
      between: () => Promise<unknown> = async () => undefined,
    ) {
      const pages: string[][] = [];
      let cursor: string | undefined;
      for (;;) {
        const page = await list(cursor === undefined ? where : { ...where, offset: 0, cursor }, most);
        pages.push(idsIn(page));
        if (page.next === undefined) return pages;
        if (page.next === cursor) throw new Error('The page has itself for a next.');
        cursor = page.next;
        await between();
      }
    }

    const check = <P extends [unknown, ...unknown[]]>(property: fc.IAsyncProperty<P>) =>
      fc.assert(property, { numRuns: runs });

    it('shows each match once, newest first, in full pages, after the offset', () =>
      check(
        fc.asyncProperty(
          sorts,
          filter,
          fc.integer({ min: 1, max: 20 }),
          fc.nat(size),
          async (all, where, limit, offset) => {
            const held = await holding(all);
            const wanted = fitting(held.records, where).slice(offset);
            const pages = await walk(held, { ...where, limit, offset });
            expect(pages.flat()).toEqual(wanted);
            expect(pages.map(({ length }) => length)).toEqual(
              Array.from({ length: Math.max(1, Math.ceil(wanted.length / limit)) }, (_, n) =>
                Math.min(limit, wanted.length - n * limit),
              ),
            );
          },
        ),
      ));

    it('loses nothing if a page ends early', () =>
      check(
        fc.asyncProperty(
          sorts,
          filter,
          fc.nat(size),
          fc.integer({ min: 1, max: 9 }),
          fc.integer({ min: 1, max: 3_000 }),
          fc.integer({ min: 1, max: 5 }),
          async (all, where, offset, looked, bytes, skipped) => {
            const held = await holding(all);
            const pages = await walk(held, { ...where, limit: 4, offset }, { records: looked, bytes, offset: skipped });
            expect(pages.flat()).toEqual(fitting(held.records, where).slice(offset));
          },
        ),
      ));

    it('skips at most one page’s limit, whatever its offset, and continues from there', async () => {
      const held = await holding([1, 2, 3, 4, 5, 6, 7].map((ms) => ({ ms, fields: firstOfEach })));
      const few: PageLimits = { ...ALL, offset: 3 };
      expect(await walk(held, { limit: 5, offset: 5 }, few)).toEqual([[], idsIn(await held.list({ offset: 5 }))]);
      expect(await walk(held, { limit: 5, offset: 3 }, few)).toEqual([idsIn(await held.list({ offset: 3 }))]);
      expect(await walk(held, { limit: 5, offset: 999_999_999 }, few)).toEqual([[], [], []]);
    });

    it('starts below any cursor, also of another list, and skips from there', () =>
      check(
        fc.asyncProperty(sorts, filter, fc.nat(size), fc.nat(20), fc.nat(20), async (all, where, at, skip, offset) => {
          const held = await holding(all);
          const below =
            held.records[at % (held.records.length || 1)]?.id ?? idFrom(kind.idKind, later(at), new Uint8Array(10));
          const page = await held.list({ ...where, cursor: formatPosition({ below, skip }), offset, limit: 5 });
          const wanted = fitting(held.records, where).filter((id) => id < below);
          expect(idsIn(page)).toEqual(wanted.slice(skip + offset, skip + offset + 5));
        }),
      ));

    it('shows each existing record once, whatever is created and changed between two pages', () =>
      check(
        fc.asyncProperty(
          sorts,
          filter,
          fc.integer({ min: 1, max: 6 }),
          fc.array(sort, { minLength: 1, maxLength: 10 }),
          async (all, where, limit, changes) => {
            const held = await holding(all);
            const touched = new Set<string>();
            let turn = 0;
            const pages = await walk(held, { ...where, limit }, ALL, async () => {
              const change = changes[turn % changes.length]!;
              turn += 1;
              await save(made(held.org, 10_000 + turn, { ...change, ms: MOMENTS + turn }));
              const old = held.records[(turn * 7) % held.records.length]!;
              touched.add(old.id);
              await save({ ...old, ...Object.fromEntries(kind.moving.map((name) => [name, change.fields[name]])) });
            });
            const shown = pages.flat();
            expect(shown).toEqual([...new Set(shown)].sort().reverse());
            // Without a filter on what changes, changed records are shown too.
            const steady = kind.moving.every((name) => where[name] === undefined);
            const standing = (ids: string[]) => ids.filter((id) => steady || !touched.has(id));
            expect(standing(shown)).toEqual(standing(fitting(held.records, where)));
          },
        ),
      ));

    it('shows whole records, and none to an organization without records', async () => {
      const held = await holding([{ ms: 1, fields: firstOfEach }]);
      expect(await held.list({})).toEqual({ items: held.records, next: undefined });
      expect(await kind.list(table, newOrganization(), { limit: 50, offset: 0 })).toEqual({
        items: [],
        next: undefined,
      });
    });

    it('omits records that changed, were deleted or belong to another organization while the index lags', async () => {
      const held = await holding([1, 2, 3, 4].map((ms) => ({ ms, fields: firstOfEach })));
      const [gone, moved, strange, stays] = held.records as [T, T, T, T];
      const late = changed(table, {
        getMany: async (keys) =>
          (await table.getMany(keys)).map((item) => {
            if (item?.id === gone.id) return undefined;
            if (item?.id === strange.id) return { ...item, org_id: 'org_other' };
            return item?.id === moved.id ? { ...item, status: valuesOf('status')[1]! } : item;
          }),
      });
      expect(idsIn(await kind.list(late, held.org, { limit: 50, offset: 0, status: firstOfEach.status! }))).toEqual([
        stays.id,
      ]);
    });

    it('keeps records in the due index for as long as they have something due', async () => {
      const { at, asks, rests } = kind.due;
      const record = made(newOrganization(), 1, { ms: 1, fields: firstOfEach });
      const isDue = async () => {
        const pages = await Promise.all(
          dueShards.map((pk) => table.entries('due', { pk, limit: 10, range: { prefix: `${at}#${record.id}` } })),
        );
        return pages.flatMap(({ items }) => items.map(({ pk, sk }) => ({ pk, sk })));
      };
      const { pk, sk } = kind.entity.toItem(record);
      await save({ ...record, ...asks });
      expect(await isDue()).toEqual([{ pk, sk }]);
      await save({ ...record, ...rests });
      expect(await isDue()).toEqual([]);
      expect(
        Object.keys(kind.entity.toItem({ ...record, ...rests })).filter((name) => name.startsWith('due_')),
      ).toEqual([]);
    });

    describe('with one record of each sort', () => {
      let held: Holding;
      beforeAll(async () => {
        const every = names.reduce<Fields[]>(
          (sofar, name) => sofar.flatMap((some) => valuesOf(name).map((value) => ({ ...some, [name]: value }))),
          [{}],
        );
        held = await holding([...every, ...every].map((fields, n) => ({ fields, ms: (n * 5) % MOMENTS })));
      });

      const each: Filter = {
        ...Object.fromEntries(names.map((name) => [name, valuesOf(name)[1]!])),
        created_after: later(3).toISOString(),
        created_before: later(9).toISOString(),
      };
      const chosen = Object.keys(each) as (keyof Filter)[];
      const pairs = chosen.flatMap((a, n) =>
        chosen.slice(n).map((b): [string, Filter] => [a === b ? a : `${a} and ${b}`, { [a]: each[a], [b]: each[b] }]),
      );
      const byStatus = valuesOf('status').flatMap((status) =>
        pairs
          .filter(([, where]) => where.status !== undefined)
          .map(([label, where]): [string, Filter] => [`${label}, ${status} ones`, { ...where, status }]),
      );

      it.each([...pairs, ...byStatus])('is filtered by %s', async (_, where) => {
        const wanted = fitting(held.records, where);
        expect(wanted.length).toBeGreaterThan(1);
        expect(wanted.length).toBeLessThan(held.records.length);
        expect((await walk(held, { ...where, limit: 3 })).flat()).toEqual(wanted);
        for (const offset of [1, 2, wanted.length, 5_000]) {
          expect(idsIn(await held.list({ ...where, limit: 4, offset }))).toEqual(wanted.slice(offset, offset + 4));
        }
      });
    });
  });
}
