import { relayPayment } from '#functions/relay/relay-payment.usecase.ts';
import { currentAttempt } from '#shared/domain/attempts.rules.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { FeedRecord } from '#shared/ports/table.port.ts';

/** Changes in, events out. Answers where to go on when something failed, so that the store tells it again from there. */
export async function relayChanges(records: readonly FeedRecord[], deps: Deps): Promise<{ readonly retryFrom?: string }> {
  for (const group of byPayment(records)) {
    const first = group[0];
    const newest = group.at(-1)?.new;
    if (!first || !newest) continue;
    try {
      await relayNews(deps.payments.read(newest), deps);
    } catch (error) {
      deps.log.warn('relay_failed', { error });
      return { retryFrom: first.seq };
    }
  }
  return {};
}

/** All changes of one payment within a batch are one look at its newest state; in the order of their first change. */
function byPayment(records: readonly FeedRecord[]): FeedRecord[][] {
  const payments = records.filter((r) => r.new?.item_type === 'payment');
  return [...Map.groupBy(payments, (r) => r.key.pk).values()];
}

/** While a PSP call is under way its outcome is about to be written, with more to announce: both are told then. */
async function relayNews(payment: Payment, deps: Deps): Promise<void> {
  if (payment.outbox.length > 0 && currentAttempt(payment)?.phase !== 'calling') await relayPayment(payment, deps);
}
