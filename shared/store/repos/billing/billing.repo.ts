import type { Clock } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { BillingPort, BillingWrites } from '#shared/ports/invoices.port.ts';
import { keys } from '#shared/store/keys.ts';
import { invoiceEntity } from '#shared/store/repos/billing/invoice.repo.ts';
import { subscriptionEntity } from '#shared/store/repos/billing/subscription.repo.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { TableError, type TablePort, type Write } from '#shared/store/table/table.port.ts';
import { writeOf } from '#shared/store/versioned-repo.ts';

/**
 * Writes subscription, invoice and payment in one transaction, each on the version that was read: a period begins with
 * all of them, or not at all.
 */
export class BillingRepo implements BillingPort {
  readonly #table: TablePort;
  readonly #clock: Clock;
  constructor(table: TablePort, clock: Clock) {
    this.#table = table;
    this.#clock = clock;
  }

  /**
   * With the same token a repeat after a lost response is the same transaction. After a conflict nothing was written.
   */
  async commit(billing: BillingWrites): Promise<boolean> {
    const [writes, token] = [this.#writesOf(billing), randomText(32)];
    let lost: TableError | undefined;
    const attempt = async () => {
      try {
        return (await this.#table.transact(writes, token)).ok;
      } catch (error) {
        if (!(error instanceof TableError) || (error.kind !== 'conflict' && error.outcome !== 'unknown')) throw error;
        if (error.outcome === 'unknown') lost = error;
        return undefined;
      }
    };
    const exhausted = 'Others keep changing this subscription. Try again.';
    return retryOnConflict(attempt, exhausted).catch((error: unknown) => {
      throw lost ?? error;
    });
  }

  #writesOf({ subscription, invoice, payment }: BillingWrites): readonly Write[] {
    const writes: Write[] = [writeOf(invoice, invoiceEntity)];
    if (payment)
      writes.push(writeOf(payment, { ...paymentEntity, toItem: (p) => paymentEntity.toItem(p, this.#clock.now()) }));
    if (subscription && 'after' in subscription) writes.push(writeOf(subscription, subscriptionEntity));
    if (subscription && 'unchanged' in subscription) {
      const { id, version } = subscription.unchanged;
      writes.push({ check: keys.subscription(id), condition: { eq: ['version', version] } });
    }
    return writes;
  }
}
