import type { Clock } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import type { Billing, BillingPort, Step } from '#shared/ports/invoices.port.ts';
import { TableError, type TablePort, type Write } from '#shared/ports/table.port.ts';
import { keys } from '#shared/store/keys.ts';
import { invoiceEntity } from '#shared/store/repos/invoice.entity.ts';
import { paymentEntity } from '#shared/store/repos/payment.entity.ts';
import { subscriptionEntity } from '#shared/store/repos/subscription.entity.ts';
import type { Entity } from '#shared/store/versioned.ts';

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
   * Under the same token a repeat after a lost answer is the same transaction. After a conflict nothing was written.
   */
  async commit(billing: Billing): Promise<boolean> {
    const [writes, token] = [this.#writesOf(billing), randomText(32)];
    let lost: TableError | undefined;
    const round = async () => {
      try {
        return (await this.#table.transact(writes, token)).ok;
      } catch (error) {
        if (!(error instanceof TableError) || (error.kind !== 'conflict' && error.outcome !== 'unknown')) throw error;
        if (error.outcome === 'unknown') lost = error;
        return undefined;
      }
    };
    return inRounds(round, 'Others are changing this subscription right now. Please try again.').catch(
      (error: unknown) => {
        throw lost ?? error;
      },
    );
  }

  #writesOf({ subscription, invoice, payment }: Billing): readonly Write[] {
    const writes: Write[] = [put(invoice, invoiceEntity)];
    if (payment)
      writes.push(put(payment, { ...paymentEntity, toItem: (p) => paymentEntity.toItem(p, this.#clock.now()) }));
    if (subscription && 'after' in subscription) writes.push(put(subscription, subscriptionEntity));
    if (subscription && 'unchanged' in subscription) {
      const { id, version } = subscription.unchanged;
      writes.push({ check: keys.subscription(id), cond: { eq: ['version', version] } });
    }
    return writes;
  }
}

function put<T extends { readonly version: number }>(
  { before, after }: Step<T>,
  { toItem, needRoom }: Pick<Entity<T>, 'toItem' | 'needRoom'>,
): Write {
  const item = toItem(before ? { ...after, version: before.version + 1 } : after);
  needRoom?.(item, after, before);
  return { put: item, cond: before ? { eq: ['version', before.version] } : { absent: 'pk' } };
}
