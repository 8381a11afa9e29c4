import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { formatPosition, type ListPage, parsePosition } from '#shared/domain/reference/page.rules.ts';
import { derivedId, idFrom } from '#shared/kernel/ids.ts';
import type { PaymentsQuery } from '#shared/ports/payments.port.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { listPayments } from '#shared/store/repos/payments/payment.repo.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { anAttempt, aPayment } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const CONNECTIONS = ['conn_a', 'conn_b', 'conn_c'] as const;
const STATUSES = ['succeeded', 'failed', 'requires_action', 'processing', 'created', 'canceled', 'refunded'] as const;
const FIELDS = ['status', 'customer_id', 'connection_id', 'currency'] as const;
/** So few milliseconds that many payments share one, and that bounds hit payments exactly. */
const MOMENTS = 12;

type Filter = Pick<Partial<PaymentsQuery>, (typeof FIELDS)[number] | 'created_after' | 'created_before'>;
type Limits = { readonly records: number; readonly bytes: number };
const ALL: Limits = { records: 10_000, bytes: 1e9 };

type Sort = Pick<Payment, 'status' | 'customer_id' | 'connection_id' | 'currency'> & { readonly ms: number };

const moment = fc.nat(MOMENTS);
/** Often the first of them, so that filters match something. */
const often = <T>(first: T, ...others: readonly T[]) =>
  fc.oneof(
    { weight: others.length, arbitrary: fc.constant(first) },
    { weight: others.length, arbitrary: fc.constantFrom(...others) },
  );
const [status, connection, currency] = [often(...STATUSES), often(...CONNECTIONS), often('EUR', 'USD', 'JPY')];
const sort: fc.Arbitrary<Sort> = fc.record({
  status,
  customer_id: often('ann', 'bob', null),
  connection_id: fc.oneof({ weight: 5, arbitrary: connection }, { weight: 1, arbitrary: fc.constant(null) }),
  currency,
  ms: moment,
});
const bound = moment.map((ms) => later(ms).toISOString());
const values = {
  status,
  customer_id: often('ann', 'bob', 'nobody'),
  connection_id: often(...CONNECTIONS, 'conn_x'),
  currency,
  created_after: bound,
  created_before: bound,
};
/** Usually one or two payments, so that a rest remains. */
const filter: fc.Arbitrary<Filter> = fc
  .subarray(Object.keys(values) as (keyof Filter)[], { maxLength: 3 })
  .chain((names) => fc.record(Object.fromEntries(names.map((each) => [each, values[each]]))) as fc.Arbitrary<Filter>);

/** A payment of that sort whose call has ended: a running one has no entry by status yet. */
function made(org_id: string, n: number, { ms, status, ...about }: Sort): Payment {
  const at = later(ms);
  const id = idFrom('payment', at, createHash('sha256').update(`${org_id} ${n}`).digest());
  const attempts = status === 'processing' ? [anAttempt({ phase: 'accepted' })] : undefined;
  return aPayment({
    id,
    org_id,
    status,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
    ...(attempts && { attempts }),
    ...about,
  });
}

/** A list by definition: all matching payments, newest first. */
function fitting(payments: readonly Payment[], where: Filter): string[] {
  const fits = (p: Payment) =>
    FIELDS.every((field) => where[field] === undefined || p[field] === where[field]) &&
    (where.created_after === undefined || p.created_at >= where.created_after) &&
    (where.created_before === undefined || p.created_at < where.created_before);
  const found = payments.filter(fits).map(({ id }) => id);
  return found.sort().reverse();
}

const idsIn = ({ items }: ListPage<Payment>): string[] => items.map(({ id }) => id);

/** Lists contain what they are defined to contain on this store, for any request and any concurrent changes. */
export function paymentWalks(
  name: string,
  makeTable: () => Promise<TablePort>,
  { runs, size }: { readonly runs: number; readonly size: number },
): void {
  describe(`a walk through a list of payments on ${name}`, () => {
    let table: TablePort;
    let organizations = 0;
    beforeAll(async () => {
      table = await makeTable();
    });

    const save = (payment: Payment) => table.put(paymentEntity.toItem(payment, START));

    /** A new organization with these payments. */
    async function holding(sorts: readonly Sort[]) {
      organizations += 1;
      const org = derivedId('organization', START, name, String(organizations));
      const payments = sorts.map((each, n) => made(org, n, each));
      await Promise.all(payments.map(save));
      const list = (where: Partial<PaymentsQuery>, limits: Limits = ALL) =>
        listPayments(table, org, CONNECTIONS, { limit: 50, offset: 0, ...where }, limits);
      return { org, payments, list };
    }

    type Holding = Awaited<ReturnType<typeof holding>>;

    /** All pages from the first to the last; `between` runs after each. */
    async function walk(
      { list }: Holding,
      where: Partial<PaymentsQuery>,
      limits = ALL,
      between: () => Promise<unknown> = async () => undefined,
    ) {
      const pages: string[][] = [];
      for (
        let page = await list(where, limits);
        ;
        page = await list({ ...where, offset: 0, cursor: page.next }, limits)
      ) {
        pages.push(idsIn(page));
        if (page.next === undefined) return pages;
        await between();
      }
    }

    const sorts = fc.array(sort, { maxLength: size });
    const check = <T extends [unknown, ...unknown[]]>(property: fc.IAsyncProperty<T>) =>
      fc.assert(property, { numRuns: runs });

    it('shows each match once, newest first, after the offset', () =>
      check(
        fc.asyncProperty(
          sorts,
          filter,
          fc.integer({ min: 1, max: 20 }),
          fc.nat(size),
          async (all, where, limit, offset) => {
            const held = await holding(all);
            const wanted = fitting(held.payments, where).slice(offset);
            const pages = await walk(held, { ...where, limit, offset });
            expect(pages.flat()).toEqual(wanted);
            // Full pages, and a next cursor only if more follow.
            expect(pages.map(({ length }) => length)).toEqual(
              Array.from({ length: Math.max(1, Math.ceil(wanted.length / limit)) }, (_, n) =>
                Math.min(limit, wanted.length - n * limit),
              ),
            );
          },
        ),
      ));

    it('loses no payment, and none of the offset, if a page ends early', () =>
      check(
        fc.asyncProperty(
          sorts,
          filter,
          fc.nat(size),
          fc.integer({ min: 1, max: 9 }),
          fc.integer({ min: 1, max: 3_000 }),
          async (all, where, offset, records, bytes) => {
            const held = await holding(all);
            // `records` grows with the offset, so the rest of an offset only shows with a small one after a cursor.
            const [newest] = fitting(held.payments, {});
            const cursor = newest && formatPosition({ below: idAbove(newest), skip: offset });
            expect(
              (await walk(held, { ...where, limit: 4, ...(cursor && { cursor }) }, { records, bytes })).flat(),
            ).toEqual(fitting(held.payments, where).slice(offset));
          },
        ),
      ));

    it('starts below any cursor, also of another list, and skips from there', () =>
      check(
        fc.asyncProperty(sorts, filter, fc.nat(size), fc.nat(20), fc.nat(20), async (all, where, at, skip, offset) => {
          const held = await holding(all);
          const below =
            held.payments[at % (held.payments.length || 1)]?.id ?? idFrom('payment', later(at), new Uint8Array(10));
          const page = await held.list({ ...where, cursor: formatPosition({ below, skip }), offset, limit: 5 });
          const wanted = fitting(held.payments, where).filter((id) => id < below);
          expect(idsIn(page)).toEqual(wanted.slice(skip + offset, skip + offset + 5));
        }),
      ));

    it('shows each existing payment once, whatever is created and changed between two pages', () =>
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
            const shown = (
              await walk(held, { ...where, limit }, ALL, async () => {
                const change = changes[turn % changes.length]!;
                turn += 1;
                await save(made(held.org, 10_000 + turn, { ...change, ms: MOMENTS + turn }));
                const old = held.payments[(turn * 7) % held.payments.length]!;
                touched.add(old.id);
                await save({ ...old, status: change.status, connection_id: change.connection_id });
              })
            ).flat();
            expect(shown).toEqual([...new Set(shown)].sort().reverse());
            const standing = (ids: string[]) => ids.filter((id) => !touched.has(id));
            // Without a filter on what changes, changed payments are shown too.
            const steady = where.status === undefined && where.connection_id === undefined;
            expect(steady ? shown : standing(shown)).toEqual(
              (steady ? (ids: string[]) => ids : standing)(fitting(held.payments, where)),
            );
          },
        ),
      ));

    describe('with one payment of each sort', () => {
      let held: Holding;
      beforeAll(async () => {
        const every = STATUSES.flatMap((status) =>
          ['ann', 'bob'].flatMap((customer_id) =>
            CONNECTIONS.flatMap((connection_id) =>
              ['EUR', 'USD'].map((currency) => ({ status, customer_id, connection_id, currency })),
            ),
          ),
        );
        held = await holding(every.map((each, n) => ({ ...each, ms: n % MOMENTS })));
      });

      const each: Required<Filter> = {
        status: 'failed',
        customer_id: 'ann',
        connection_id: 'conn_b',
        currency: 'EUR',
        created_after: later(3).toISOString(),
        created_before: later(9).toISOString(),
      };
      const names = Object.keys(each) as (keyof Filter)[];
      const pairs = names.flatMap((a, n) =>
        names.slice(n).map((b): [string, Filter] => [a === b ? a : `${a} and ${b}`, { [a]: each[a], [b]: each[b] }]),
      );
      const paid = pairs
        .filter(([, where]) => where.status)
        .map(([label, where]): [string, Filter] => [
          `${label}, of those that succeeded`,
          { ...where, status: 'succeeded' },
        ]);

      it.each([...pairs, ...paid])('is filtered by %s', async (_, where) => {
        const wanted = fitting(held.payments, where);
        expect(wanted.length).toBeGreaterThan(1);
        expect((await walk(held, { ...where, limit: 5 })).flat()).toEqual(wanted);
        expect(idsIn(await held.list({ ...where, limit: 4, offset: 2 }))).toEqual(wanted.slice(2, 6));
      });
    });
  });
}

/** Above every payment of these tests, at a position that a cursor may have. */
function idAbove(id: string): string {
  const above = idFrom('payment', later(1_000_000), new Uint8Array(10));
  expect(parsePosition(above)).toBeDefined();
  expect(above > id).toBe(true);
  return above;
}
