import { itemSize } from '#shared/store/table/item.rules.ts';
import {
  INDEXES,
  type IndexName,
  type Item,
  type Key,
  type PageQuery,
  type TablePort,
  type Write,
  type WriteResult,
} from '#shared/store/table/table.port.ts';
import { entryIn, readUnits, writeUnits } from '#test/support/table-units.ts';

/** What a call takes from one partition of the table or of an index. */
export type Touch = {
  readonly resource: 'table' | IndexName;
  readonly pk: string;
  readonly wru: number;
  readonly rru: number;
};

/** The cost of one call, and its purpose. */
export type Cost = {
  readonly call: string;
  readonly on: string;
  readonly bytes: number;
  /** Write units of the item itself, and of its entries by index. */
  readonly item: number;
  readonly entries: Readonly<Partial<Record<IndexName, number>>>;
  readonly rru: number;
  /** The same units by partition. */
  readonly touches: readonly Touch[];
};

const INDEX_NAMES = Object.keys(INDEXES) as IndexName[];

export const costOf = ({ item, entries }: Pick<Cost, 'item' | 'entries'>): number =>
  item + Object.values(entries).reduce((sum, units) => sum + units, 0);

/**
 * Reports the cost of each call on DynamoDB. The old item, on which the cost of a write depends, is read outside the
 * count. `begin` is called at once, so that the counter knows which operation a call belongs to.
 */
export function countedTable(
  bare: TablePort,
  begin: () => (cost: Cost) => void,
  onChange: (key: Key, old: Item | undefined, next: Item | undefined) => void = () => undefined,
): TablePort {
  const now = (key: Key) => bare.get(key, { consistent: true });

  async function write<T extends WriteResult<Item | undefined>>(
    call: string,
    key: Key,
    act: () => Promise<T>,
  ): Promise<T> {
    const note = begin();
    const old = await now(key);
    const written = await act();
    // Others may have written first: the item that the condition was checked against counts.
    if (written.ok) {
      const next = call === 'delete' ? undefined : written.item;
      onChange(key, old, next);
      note(writing(call, key, old, next));
    } else note(writing(`${call}, refused`, key, written.old, written.old));
    return written;
  }

  return {
    async get(key, how) {
      const note = begin();
      const item = await bare.get(key, how);
      const rru = readUnits(sizeOf(item), how);
      note(reading('get', named(key, item), sizeOf(item), [{ resource: 'table', pk: key.pk, rru }]));
      return item;
    },
    async getMany(keys) {
      const note = begin();
      const items = await bare.getMany(keys);
      const reads = keys.map(({ pk }, n) => ({ resource: 'table' as const, pk, rru: readUnits(sizeOf(items[n])) }));
      note(reading(`getMany of ${keys.length}`, named(keys[0], items[0]), sum(items.map(sizeOf)), reads));
      return items;
    },
    put: (item, condition) => write('put', item, () => bare.put(item, condition)),
    update: (key, change, condition) => write('update', key, () => bare.update(key, change, condition)),
    delete: (key, condition) => write('delete', key, () => bare.delete(key, condition)),
    async query({ filter, ...where }) {
      const note = begin();
      const { items } = await bare.query(where);
      const bytes = sum(items.map(sizeOf));
      const read = { resource: 'table' as const, pk: where.pk, rru: readUnits(bytes, where) };
      note(reading('query', named({ pk: where.pk, sk: '' }, items.at(-1)), bytes, [read]));
      return bare.query({ ...where, filter });
    },
    async entries(index, where) {
      const note = begin();
      const page = await bare.entries(index, where);
      const bytes = entryBytes(index, where, page.items);
      note(reading('entries', `index ${index}`, bytes, [{ resource: index, pk: where.pk, rru: readUnits(bytes) }]));
      return page;
    },
    async count(index, where) {
      const note = begin();
      const { items } = await bare.entries(index, where);
      const bytes = entryBytes(index, where, items);
      note(reading('count', `index ${index}`, bytes, [{ resource: index, pk: where.pk, rru: readUnits(bytes) }]));
      return bare.count(index, where);
    },
    async transact(writes, token) {
      const note = begin();
      const keys = writes.map(keyOf);
      const old = await Promise.all(keys.map(now));
      const done = await bare.transact(writes, token);
      const next = await Promise.all(keys.map(now));
      for (const [n, key] of keys.entries()) {
        if (done.ok) onChange(key, old[n], next[n]);
        note(writing('transact', key, old[n], next[n], true));
      }
      return done;
    },
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
const sizeOf = (item: Item | undefined): number => (item ? itemSize(item) : 0);

/** The size of the item, or for a missing one the size it would have. */
const named = (key: Key | undefined, item?: Item): string =>
  String(item?.item_type ?? key?.pk.split('#')[0] ?? 'nothing');

const reading = (call: string, on: string, bytes: number, reads: readonly Omit<Touch, 'wru'>[]): Cost => ({
  call,
  on,
  bytes,
  item: 0,
  entries: {},
  rru: sum(reads.map(({ rru }) => rru)),
  touches: reads.map((read) => ({ ...read, wru: 0 })),
});

function writing(call: string, key: Key, old: Item | undefined, next: Item | undefined, transaction = false): Cost {
  const changed = INDEX_NAMES.map((name) => [name, entryUnits(name, old, next)] as const).filter(
    ([, units]) => units > 0,
  );
  const entries = Object.fromEntries(changed);
  const item = writeUnits(old, next, { transaction }) - sum(changed.map(([, units]) => units));
  const touches = [
    { resource: 'table' as const, pk: key.pk, wru: item, rru: 0 },
    ...changed.flatMap(([name]) => entryTouches(name, old, next)),
  ];
  return {
    call,
    on: named(key, next ?? old),
    bytes: Math.max(sizeOf(old), sizeOf(next)),
    item,
    entries,
    rru: 0,
    touches,
  };
}

/** A moved entry is deleted in one partition and added in another. */
const entryTouches = (name: IndexName, old: Item | undefined, next: Item | undefined): readonly Touch[] =>
  [old, next].flatMap((item) => {
    const entry = entryIn(INDEXES[name], item);
    return entry
      ? [{ resource: name, pk: String(entry[INDEXES[name][0]]), wru: writeUnits(undefined, entry) - 1, rru: 0 }]
      : [];
  });

/** As if only the entry were written, less the unit for the item. */
const entryUnits = (name: IndexName, old: Item | undefined, next: Item | undefined): number => {
  const [before, after] = [entryIn(INDEXES[name], old), entryIn(INDEXES[name], next)];
  return writeUnits(before, after) - 1;
};

function entryBytes(
  index: IndexName,
  { pk: partition }: PageQuery,
  found: readonly { pk: string; sk: string; at: string }[],
): number {
  const [pkName, skName] = INDEXES[index];
  return sum(found.map(({ pk, sk, at }) => itemSize({ pk, sk, [pkName]: partition, [skName]: at })));
}

function keyOf(write: Write): Key {
  if ('put' in write) return write.put;
  if ('update' in write) return write.update;
  return 'delete' in write ? write.delete : write.check;
}
