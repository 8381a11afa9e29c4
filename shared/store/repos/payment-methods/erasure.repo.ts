import { type Erasure, erasePayment } from '#shared/domain/payment-methods/erasure.model.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { CustomerCounts, ErasuresPort } from '#shared/ports/erasures.port.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { dueEntry, indexKeys, keys } from '#shared/store/keys.ts';
import type { Cursor, Item, Json, TablePort } from '#shared/store/table/table.port.ts';
import { VersionedRepo } from '#shared/store/versioned-repo.ts';

const erasureEntity = {
  name: 'erasure',
  idKind: 'erasure',
  key: keys.erasure,
  toItem: (erasure: Erasure): Item => ({
    ...(erasure as unknown as Item),
    ...keys.erasure(erasure.id),
    item_type: 'erasure',
    ...dueEntry(erasure.due_at, erasure.id, erasure.org_id),
  }),
  fromItem: fromItem<Erasure>,
} as const;

/** Entries that one read counts. */
const COUNT_PAGE = 1_000;

export class ErasureRepo extends VersionedRepo<Erasure> implements ErasuresPort {
  constructor(table: TablePort) {
    super(table, erasureEntity);
  }

  async end({ id }: Erasure): Promise<void> {
    await this.table.delete(keys.erasure(id));
  }

  async eraseResponse(paymentId: string): Promise<void> {
    const key = keys.createResponse(paymentId);
    const item = await this.table.get(key, { consistent: true });
    if (!item) return;
    const answer = erasePayment(item.answer as unknown as Payment) as unknown as Json;
    await this.table.update(key, { set: { answer } }, { exists: 'pk' });
  }

  async counts(orgId: string, customerId: string): Promise<CustomerCounts> {
    const [payments, payment_links, invoices, subscriptions] = await Promise.all([
      this.#count(indexKeys.paymentsOfCustomer(orgId, customerId)),
      this.#count(indexKeys.linksOfCustomer(orgId, customerId)),
      this.#count(indexKeys.invoicesOfCustomer(orgId, customerId)),
      this.#count(indexKeys.subscriptionsOfCustomer(orgId, customerId)),
    ]);
    return { payments, payment_links, invoices, subscriptions };
  }

  async #count(pk: string): Promise<number> {
    let [total, after]: [number, Cursor | undefined] = [0, undefined];
    do {
      const page = await this.table.count('customer', { pk, limit: COUNT_PAGE, ...(after !== undefined && { after }) });
      total += page.count;
      after = page.next;
    } while (after !== undefined);
    return total;
  }
}
