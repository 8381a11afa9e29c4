import { ID_PREFIX, type IdKind, isId } from '#shared/kernel/ids.ts';
import { keys } from '#shared/store/keys.ts';
import { invoiceEntity } from '#shared/store/repos/billing/invoice.repo.ts';
import { subscriptionEntity } from '#shared/store/repos/billing/subscription.repo.ts';
import { disputeEntity } from '#shared/store/repos/disputes/dispute.entity.ts';
import { paymentLinkEntity } from '#shared/store/repos/links/payment-link.repo.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { chargeItems, filedRefundKeys } from '#shared/store/repos/payments/payment-index.ts';
import { reviewEntry } from '#shared/store/repos/payments/review.repo.ts';
import { executionEntity } from '#shared/store/repos/workflows/execution.repo.ts';
import { reviewKeys } from '#shared/store/review-keys.ts';
import { INDEXES, type Item, type Key, type TablePort } from '#shared/store/table/table.port.ts';

/** An item without its content: where it is, and how it is found. */
export type ItemLocation = {
  readonly key: string;
  readonly type: string;
  /** Its entries in indexes, by the name of the index. */
  readonly entries: Readonly<Record<string, string>>;
  readonly version: number | null;
  readonly bytes: number;
};

/** Where records of these kinds lie. `orgId`: for those in their organization's partitions. */
const KEYS: Readonly<Partial<Record<IdKind, (id: string, orgId: string) => Key>>> = {
  payment: (id) => keys.payment(id),
  subscription: (id) => keys.subscription(id),
  invoice: (id) => keys.invoice(id),
  dispute: (id) => keys.dispute(id),
  link: (id) => keys.paymentLink(id),
  execution: (id) => keys.execution(id),
  user: (id) => keys.user(id),
  organization: (id) => keys.organization(id),
  connection: (id, orgId) => keys.connection(orgId, id),
  rule: (id, orgId) => keys.routingRule(orgId, id),
  abTest: (id, orgId) => keys.abTest(orgId, id),
  key: (id, orgId) => keys.listedApiKey(orgId, id),
  event: (id, orgId) => keys.event(orgId, id),
};

export const kindOf = (id: string): IdKind | undefined =>
  (Object.keys(ID_PREFIX) as IdKind[]).find((kind) => isId(kind, id));

export async function locateItem(table: TablePort, id: string, orgId = ''): Promise<ItemLocation | undefined> {
  const kind = kindOf(id);
  const key = kind && KEYS[kind]?.(id, orgId);
  const item = key && (await table.get(key, { consistent: true }));
  return item && toLocation(item);
}

const toLocation = (item: Item): ItemLocation => ({
  key: `${item.pk} ${item.sk}`,
  type: String(item.item_type ?? ''),
  entries: entriesOf(item),
  version: typeof item.version === 'number' ? item.version : null,
  bytes: Buffer.byteLength(JSON.stringify(item)),
});

function entriesOf(item: Item): Readonly<Record<string, string>> {
  const found = Object.entries(INDEXES).flatMap(([index, [part, at]]) =>
    item[part] === undefined ? [] : [[index, `${item[part]} ${item[at]}`] as const],
  );
  return Object.fromEntries(found);
}

type Faults = readonly { readonly index: string; readonly stored: string | null; readonly expected: string | null }[];

/**
 * The index entries that an item should have by its record, where they differ from those that it has. A due entry may
 * be earlier than it must: that does no harm, and counts as right.
 */
export async function indexFaults(table: TablePort, id: string, at: Date): Promise<Faults | undefined> {
  const kind = kindOf(id);
  const key = kind && KEYS[kind]?.(id, '');
  const item = key && (await table.get(key, { consistent: true }));
  if (!item) return undefined;
  const expected = expectedItem(kind, item, at);
  if (!expected) return undefined;
  const ofCharges =
    kind === 'payment'
      ? [
          ...(await chargeFaults(table, item)),
          ...(await refundFaults(table, item)),
          ...(await reviewFaults(table, item)),
        ]
      : [];
  const [stored, right] = [entriesOf(item), entriesOf(expected)];
  const own = Object.keys(INDEXES)
    .map((index) => ({ index, stored: stored[index] ?? null, expected: right[index] ?? null }))
    .filter(({ index, stored: has, expected: should }) =>
      index === 'due' && has !== null && should !== null ? has > should : has !== should,
    );
  return [...own, ...ofCharges];
}

/** The entries by which further charges and captures of a payment find it, where they are missing or wrong. */
async function chargeFaults(table: TablePort, item: Item): Promise<Faults> {
  const expected = chargeItems(paymentEntity.fromItem(item));
  const checked = expected.map(async (each) => {
    const stored = await table.get({ pk: String(each.pk), sk: String(each.sk) }, { consistent: true });
    const of = (found: Item | undefined) => (found && entriesOf(found).lookup) ?? null;
    return { index: 'lookup', stored: of(stored), expected: of(each) };
  });
  return (await Promise.all(checked)).filter(({ stored, expected: should }) => stored !== should);
}

/** Refunds that do not lead to their payment, such as those of releases that did not file them. */
async function refundFaults(table: TablePort, item: Item): Promise<Faults> {
  const { id, refunds } = paymentEntity.fromItem(item);
  const filed = refunds
    .filter((refund) => isId('refund', refund.id))
    .map((refund) => filedRefundKeys.filedRefund(refund.id));
  const found = await Promise.all(filed.map((key) => table.get(key, { consistent: true })));
  return found.some((each) => each === undefined) ? [{ index: 'refunds', stored: null, expected: id }] : [];
}

/** The entry of a payment under review, where it is missing, and that of an ended review, where it was left. */
async function reviewFaults(table: TablePort, item: Item): Promise<Faults> {
  const expected = reviewEntry(paymentEntity.fromItem(item)) ?? null;
  const found = await table.get(reviewKeys.review(String(item.id)), { consistent: true });
  const stored = (found && entriesOf(found).status) ?? null;
  return stored === expected ? [] : [{ index: 'status', stored, expected }];
}

function expectedItem(kind: IdKind, item: Item, at: Date): Item | undefined {
  switch (kind) {
    case 'payment':
      return paymentEntity.toItem(paymentEntity.fromItem(item), at);
    case 'subscription':
      return subscriptionEntity.toItem(subscriptionEntity.fromItem(item));
    case 'invoice':
      return invoiceEntity.toItem(invoiceEntity.fromItem(item));
    case 'dispute':
      return disputeEntity.toItem(disputeEntity.fromItem(item));
    case 'link':
      return paymentLinkEntity.toItem(paymentLinkEntity.fromItem(item));
    case 'execution':
      return executionEntity.toItem(executionEntity.fromItem(item));
    default:
      return undefined;
  }
}
