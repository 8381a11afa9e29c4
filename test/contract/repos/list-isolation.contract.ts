import { beforeAll, describe, expect, it } from 'vitest';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import { derivedId, type IdKind } from '#shared/kernel/ids.ts';
import { invoiceEntity, listInvoices } from '#shared/store/repos/billing/invoice.repo.ts';
import { listSubscriptions, subscriptionEntity } from '#shared/store/repos/billing/subscription.repo.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { listPayments } from '#shared/store/repos/payments/payment.repo.ts';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';
import type { Listed, MadeTable } from '#test/contract/repos/list-records.contract.ts';
import { aPayment } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';
import { anInvoice, aSubscription, subscriptionId } from '#test/support/subscription.builder.ts';

const [HERE, THERE] = ['here', 'there'].map((name) => derivedId('organization', START, name)) as [string, string];

/** Names that a client may give its customers and plans, which look like partitions of the indexes. */
const FORGED = [
  'a',
  '0',
  '#0',
  'a#0',
  'a#1',
  'a#0#0',
  'active',
  'paid#0',
  ...[HERE, THERE].flatMap((org) => [
    `${org}#a`,
    `@sub#${org}#a`,
    `@inv#${org}#a`,
    `@sub#${org}#a#0`,
    `@links#${org}`,
    `#${org}`,
  ]),
  '@sub',
  '@inv#',
  subscriptionId(1),
];

type Where = {
  readonly limit: number;
  readonly offset: number;
  readonly customer_id?: string;
  readonly plan_id?: string;
  readonly subscription_id?: string;
};
type Kind = {
  readonly make: (about: Listed & { readonly customer_id: string; readonly plan_id: string }, n: number) => Item;
  readonly list: (table: TablePort, org: string, where: Where) => Promise<ListPage<Listed>>;
  readonly fields: readonly (keyof Where)[];
};

const KINDS: Readonly<Partial<Record<IdKind, Kind>>> = {
  payment: {
    make: ({ plan_id: _, ...about }) => paymentEntity.toItem(aPayment(about), START),
    list: (table, org, where) => listPayments(table, org, ['conn_a'], where),
    fields: ['customer_id'],
  },
  subscription: {
    make: (about) => subscriptionEntity.toItem(aSubscription(about)),
    list: listSubscriptions,
    fields: ['customer_id', 'plan_id'],
  },
  invoice: {
    make: (about, n) => invoiceEntity.toItem(anInvoice({ ...about, subscription_id: FORGED[n % FORGED.length]! })),
    list: listInvoices,
    fields: ['customer_id', 'plan_id', 'subscription_id'],
  },
};
const KIND_NAMES = Object.keys(KINDS) as IdKind[];

/** Each name next to several others, three times in each organization. */
const pairsOfTexts = [1, 4, 9].flatMap((step) =>
  FORGED.map((customer_id, n) => ({ customer_id, plan_id: FORGED[(n * step + step) % FORGED.length]! })),
);

export function listsApart({ store, makeTable }: MadeTable): void {
  describe(`lists of several kinds and organizations in one table on ${store}`, () => {
    let table: TablePort;
    const items = KIND_NAMES.flatMap((kind) =>
      [HERE, THERE].flatMap((org_id) =>
        pairsOfTexts.map((texts, n) => {
          const at = later(n * 7);
          return KINDS[kind]!.make(
            { id: derivedId(kind, at, org_id, String(n)), org_id, created_at: at.toISOString(), ...texts },
            n,
          );
        }),
      ),
    );
    beforeAll(async () => {
      table = await makeTable();
      await Promise.all(items.map((item) => table.put(item)));
    });

    const expected = (kind: IdKind, org: string, field?: keyof Where, value?: string): readonly unknown[] =>
      items
        .filter(
          (item) => item.item_type === kind && item.org_id === org && (field === undefined || item[field] === value),
        )
        .map(({ id }) => String(id))
        .sort()
        .reverse();

    describe.each(KIND_NAMES)('%s', (kind) => {
      const { list, fields } = KINDS[kind]!;
      const shown = async (org: string, where: Partial<Where>) =>
        (await list(table, org, { limit: 200, offset: 0, ...where })).items.map(({ id }) => id);

      it('contain only records of their kind and organization', async () => {
        for (const org of [HERE, THERE]) expect(await shown(org, {})).toEqual(expected(kind, org));
        expect(await shown(`${HERE}#a`, {})).toEqual([]);
      });

      it.each(fields)('filter by %s for any value, without counting others', async (field) => {
        for (const org of [HERE, THERE]) {
          for (const value of FORGED) {
            const wanted = expected(kind, org, field, value);
            expect(wanted.length).toBeGreaterThan(1);
            expect(await shown(org, { [field]: value })).toEqual(wanted);
            expect(await shown(org, { [field]: value, offset: 1 })).toEqual(wanted.slice(1));
          }
        }
      });
    });
  });
}
