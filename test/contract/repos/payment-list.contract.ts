import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import type { PaymentsQuery } from '#shared/ports/payments.port.ts';
import { mergePages } from '#shared/store/merge-pages.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { changed, memoryStore } from '#test/support/memory-store.ts';
import { anAttempt, aPayment, ORG, paymentId } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const CONNECTIONS = ['conn_a', 'conn_b', 'conn_c'];
const STATUSES = ['succeeded', 'failed', 'requires_action', 'created', 'canceled', 'refunded'] as const;

/** The nth payment, with connections, customers, currencies and statuses in cycles of different lengths. */
function nth(n: number): Payment {
  const status = STATUSES[n % STATUSES.length]!;
  const at = later(n * 1_000).toISOString();
  const attempts =
    status === 'created'
      ? []
      : [anAttempt({ connection_id: CONNECTIONS[n % 3], status: status === 'refunded' ? 'succeeded' : status })];
  const about = { customer_id: n % 5 ? `cus_${n % 4}` : null, currency: n % 2 ? 'EUR' : 'USD' };
  return aPayment({ id: paymentId(n), status, attempts, created_at: at, updated_at: at, ...about });
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => nth(n));

async function holding(payments: readonly Payment[], options = {}) {
  const store = memoryStore(options);
  await Promise.all(payments.map((payment) => store.table.put(paymentEntity.toItem(payment, START))));
  return {
    ...store,
    list: (where: Partial<PaymentsQuery>, connections = CONNECTIONS): Promise<ListPage<Payment>> =>
      store.payments.list(ORG, connections, { limit: 50, offset: 0, ...where }),
  };
}

type Holding = Awaited<ReturnType<typeof holding>>;

/** Follows the cursors to the end; the offset applies to the first page. */
async function allOf({ list }: Holding, where: Partial<PaymentsQuery>): Promise<Payment[]> {
  const found: Payment[] = [];
  for (let page = await list(where); ; page = await list({ ...where, offset: 0, cursor: page.next })) {
    found.push(...page.items);
    if (page.next === undefined) return found;
  }
}

const ids = (payments: readonly Payment[]) => payments.map((p) => p.id);

/** A list by definition: all matching payments, newest first. */
function expected(payments: readonly Payment[], where: Partial<PaymentsQuery>): string[] {
  const fits = (p: Payment) =>
    (['status', 'customer_id', 'connection_id', 'currency'] as const).every(
      (field) => where[field] === undefined || p[field] === where[field],
    ) &&
    (where.created_after === undefined || p.created_at >= where.created_after) &&
    (where.created_before === undefined || p.created_at < where.created_before);
  return ids(payments.filter(fits)).sort().reverse();
}

export function paymentLists(): void {
  describe('a list of payments', () => {
    const few = numbered(120);
    const many = numbered(1_000);
    let small: Holding;
    let large: Holding;
    beforeAll(async () => {
      small = await holding(few);
      large = await holding(many);
    });

    it('merges all connections and shards, newest first', async () => {
      const page = await small.list({ limit: 200 });
      expect(ids(page.items)).toEqual(expected(few, {}));
      expect(page.next).toBeUndefined();
    });

    it('shows whole payments', async () => expect((await small.list({ limit: 1 })).items).toEqual([few.at(-1)]));

    it('is empty for an organization without payments', async () =>
      expect(await small.payments.list('org_other', CONNECTIONS, { limit: 50, offset: 0 })).toEqual({
        items: [],
        next: undefined,
      }));

    it.each([1, 7, 49, 50, 51, 200])('visits each of 1,000 payments once, in order, by pages of %i', async (limit) =>
      expect(ids(await allOf(large, { limit }))).toEqual(expected(many, {})),
    );

    it.each([1, 3, 50, 119, 120, 121, 200])('ends after the last payment, by pages of %i', async (limit) => {
      const page = await small.list({ limit });
      expect(page.items).toHaveLength(Math.min(limit, 120));
      expect(page.next).toBe(limit < 120 ? page.items.at(-1)?.id : undefined);
    });

    it.each<[string, Partial<PaymentsQuery>]>([
      ['the status', { status: 'failed' }],
      ['a status without an index of its own', { status: 'succeeded' }],
      ['the customer', { customer_id: 'cus_1' }],
      ['the connection', { connection_id: 'conn_b' }],
      ['the currency', { currency: 'EUR' }],
      ['a start time', { created_after: later(500_000).toISOString() }],
      ['an end time', { created_before: later(500_000).toISOString() }],
      ['a time range', { created_after: later(200_000).toISOString(), created_before: later(300_000).toISOString() }],
      ['customer and status', { customer_id: 'cus_2', status: 'canceled' }],
      ['customer and connection', { customer_id: 'cus_3', connection_id: 'conn_a' }],
      ['customer and currency', { customer_id: 'cus_1', currency: 'EUR' }],
      ['status and connection', { status: 'refunded', connection_id: 'conn_c' }],
      ['status and currency', { status: 'requires_action', currency: 'USD' }],
      [
        'all filters',
        {
          status: 'failed',
          customer_id: 'cus_3',
          connection_id: 'conn_b',
          currency: 'EUR',
          created_after: later(100_000).toISOString(),
        },
      ],
      ['a status without payments', { status: 'processing' }],
    ])('is filtered by %s', async (_, where) => {
      const wanted = expected(many, where);
      expect(ids(await allOf(large, { ...where, limit: 30 }))).toEqual(wanted);
      expect(ids((await large.list({ ...where, limit: 5, offset: 3 })).items)).toEqual(wanted.slice(3, 8));
    });

    it('matches a simple model, for any filter, offset and page', () =>
      fc.assert(
        fc.asyncProperty(
          fc.record(
            {
              status: fc.constantFrom(...STATUSES),
              customer_id: fc.constantFrom('cus_0', 'cus_1', 'cus_9'),
              connection_id: fc.constantFrom(...CONNECTIONS),
              currency: fc.constantFrom('USD', 'EUR'),
              created_after: fc.nat(130).map((n) => later(n * 1_000).toISOString()),
              created_before: fc.nat(130).map((n) => later(n * 1_000).toISOString()),
            },
            { requiredKeys: [] },
          ),
          fc.integer({ min: 1, max: 60 }),
          fc.nat(130),
          async (where, limit, offset) => {
            expect(ids(await allOf(small, { ...where, limit, offset }))).toEqual(expected(few, where).slice(offset));
          },
        ),
        { numRuns: 60 },
      ));

    it.each<[string, Partial<PaymentsQuery>]>([
      ['without a filter', {}],
      ['with a filter that an index serves', { status: 'failed' }],
      ['with a filter without an index', { currency: 'EUR' }],
    ])('skips as many as the offset says, %s', async (_, where) => {
      for (const offset of [0, 1, 50, 99, 5_000]) {
        expect(ids((await large.list({ ...where, limit: 10, offset })).items)).toEqual(
          expected(many, where).slice(offset, offset + 10),
        );
      }
    });

    it('skips more than one page reads, also if no index serves the filter', async () => {
      const payments = numbered(2_100);
      const { list } = await holding(payments);
      const page = await list({ currency: 'EUR', limit: 10, offset: 1_010 });
      expect(ids(page.items)).toEqual(expected(payments, { currency: 'EUR' }).slice(1_010, 1_020));
    });

    it('ends a page early if matches are rare, and continues from there', async () => {
      const payments = numbered(2_100).map((p, n) => (n === 0 ? { ...p, currency: 'JPY' } : p));
      const lists = await holding(payments);
      expect(await lists.list({ currency: 'JPY', limit: 10 })).toMatchObject({ items: [], next: expect.any(String) });
      expect(ids(await allOf(lists, { currency: 'JPY', limit: 10 }))).toEqual([payments[0]?.id]);
    });

    it('neither repeats nor skips payments when new ones are created meanwhile', async () => {
      const lists = await holding(numbered(60));
      const first = await lists.list({ limit: 20 });
      await lists.table.put(paymentEntity.toItem(nth(99), START));
      const rest = await allOf(lists, { limit: 20, cursor: first.next });
      expect([...ids(first.items), ...ids(rest)]).toEqual(expected(numbered(60), {}));
    });
  });

  describe('a list of payments with a lagging index', () => {
    const before = numbered(12);
    const [, failed] = before;

    /** The current payments with the index in its earlier state. */
    async function lateList(now: readonly Payment[]) {
      const old = await holding(before);
      return holding(now, {
        through: (table: Holding['table']) => changed(table, { entries: (...asked) => old.table.entries(...asked) }),
      });
    }

    it('shows a payment once while its entry moves between partitions, and counts it once', async () => {
      const [moving] = before.filter((p) => p.connection_id === 'conn_a');
      const now = before.map((p) => (p === moving ? { ...p, connection_id: 'conn_b' } : p));
      const old = await holding(before);
      const { list } = await holding(now, {
        through: (table: Holding['table']) =>
          changed(table, {
            entries: async (index, where) => {
              const [was, is] = await Promise.all([old.table.entries(index, where), table.entries(index, where)]);
              return {
                items: [...new Map([...was.items, ...is.items].map((entry) => [entry.at, entry])).values()].sort(
                  (a, b) => (a.at < b.at ? 1 : -1),
                ),
                next: is.next,
              };
            },
          }),
      });
      expect(ids((await list({})).items)).toEqual(expected(now, {}));
      for (const offset of [0, 5, 11])
        expect(ids((await list({ offset })).items)).toEqual(expected(now, {}).slice(offset));
      for (const connection_id of CONNECTIONS)
        expect(ids((await list({ connection_id })).items)).toEqual(expected(now, { connection_id }));
    });

    it('omits deleted payments', async () => {
      const rest = before.filter((p) => p !== failed);
      expect(ids((await (await lateList(rest)).list({})).items)).toEqual(ids(rest).reverse());
    });

    it('omits payments that no longer match', async () => {
      const now = before.map((p) => (p === failed ? { ...p, status: 'succeeded' as const } : p));
      const page = await (await lateList(now)).list({ status: 'failed' });
      expect(ids(page.items)).toEqual([paymentId(7)]);
    });
  });

  describe('mergePages', () => {
    const merged = async (...given: Parameters<typeof mergePages<string>>): Promise<string[]> => {
      const all: string[] = [];
      for await (const text of mergePages(...given)) all.push(text);
      return all;
    };
    const readersOf = (lanes: readonly (readonly string[])[], reads: { count: number } = { count: 0 }) =>
      lanes.map((lane) => async (before: string | undefined, limit: number) => {
        reads.count += 1;
        const rest = lane.filter((text) => before === undefined || text < before);
        return { items: rest.slice(0, limit), next: rest.length >= limit ? rest[limit - 1] : undefined };
      });

    it('merges all partitions in order, whatever they contain and however much is read at once', () =>
      fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(fc.string({ minLength: 1, maxLength: 4, unit: 'grapheme-ascii' })),
          fc.integer({ min: 1, max: 5 }),
          fc.integer({ min: 1, max: 6 }),
          async (texts, count, chunk) => {
            const newest = texts.sort().reverse();
            const lanes = Array.from({ length: count }, (_, lane) => newest.filter((_, n) => (n * 7) % count === lane));
            expect(await merged(readersOf(lanes), (text) => text, undefined, chunk)).toEqual(
              lanes.flat().sort().reverse(),
            );
          },
        ),
      ));

    it('continues after a page that the store ended early', async () => {
      const texts = ['e', 'd', 'c', 'b', 'a'];
      const short = async (before: string | undefined) => {
        const rest = texts.filter((text) => before === undefined || text < before);
        return { items: rest.slice(0, 2), next: rest[2] && rest[1] };
      };
      expect(await merged([short], (text) => text, undefined, 4)).toEqual(texts);
    });

    it('reads one chunk of each partition, then as many as were read from it so far, up to the maximum', async () => {
      const limits: number[] = [];
      const long = Array.from({ length: 40 }, (_, n) => String(99 - n));
      const [lane] = readersOf([long]);
      const spied = (before: string | undefined, limit: number) => {
        limits.push(limit);
        return lane!(before, limit);
      };
      expect(await merged([spied], (text) => text, undefined, 3, 10)).toEqual(long);
      expect(limits).toEqual([3, 3, 6, 10, 10, 10]);
    });

    it('starts below the given position', async () =>
      expect(
        await merged(
          readersOf([
            ['d', 'b'],
            ['c', 'a'],
          ]),
          (text) => text,
          'c',
          2,
        ),
      ).toEqual(['b', 'a']));

    it('reads no more than what is consumed requires', async () => {
      const reads = { count: 0 };
      const long = Array.from({ length: 1_000 }, (_, n) => String(9_999 - n));
      for await (const text of mergePages(readersOf([long, []], reads), (t) => t, undefined, 10))
        if (text === '9995') break;
      expect(reads.count).toBe(2);
    });
  });
}
