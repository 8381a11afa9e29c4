import { projectChanges } from '#functions/projector/project-changes.usecase.ts';
import type { Payment, PaymentStatus } from '#shared/domain/payments/payment.model.ts';
import { changesIn } from '#shared/store/changes.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { TotalsRepo } from '#shared/store/repos/reporting/totals.repo.ts';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';
import { anAttempt, aPayment, aRefund, paymentId } from '#test/support/payment.builder.ts';
import { later, START, stoppedClock } from '#test/support/stopped-clock.ts';

/** The common values of the mixed payments, for filters that match many. */
export const MUCH = { customer_id: 'cus_much', connection_id: 'conn_0', currency: 'EUR' };
export const MIXED_CONNECTIONS = ['conn_0', 'conn_1', 'conn_2'];
/** One payment in a thousand. */
export const RARE = { currency: 'KES' };

const LANES = 16;
const BATCH = 500;

function currencyOf(n: number): string {
  if (n % 1_000 === 5) return RARE.currency;
  return n % 11 < 7 ? MUCH.currency : 'USD';
}

function statusOf(n: number): PaymentStatus {
  if (n % 10 === 0) return 'failed';
  if (n % 50 === 1) return 'refunded';
  return n % 100 === 2 ? 'canceled' : 'succeeded';
}

/**
 * The nth payment: statuses, connections, customers and currencies in cycles of different lengths, one second after
 * the one before.
 */
function mixedPayment(org_id: string, n: number): Payment {
  const [status, amount] = [statusOf(n), 1_000 + (n % 900)];
  const connection_id = `conn_${Math.max(0, (n % 7) - 4)}`;
  const outcome = status === 'failed' || status === 'canceled' ? status : 'succeeded';
  const attempts = [anAttempt({ status: outcome, connection_id, psp_reference: `pi_${n}` })];
  const at = later(n * 1_000).toISOString();
  return aPayment({
    id: paymentId(n),
    org_id,
    status,
    amount,
    attempts,
    customer_id: n % 3 ? MUCH.customer_id : `cus_${n % 97}`,
    currency: currencyOf(n),
    refunds: status === 'refunded' ? [aRefund({ amount })] : [],
    created_at: at,
    updated_at: at,
  });
}

/** Writes them directly to the table. */
export async function putMixed(table: TablePort, org_id: string, from: number, to: number): Promise<readonly Item[]> {
  const items: Item[] = [];
  let next = from;
  const lane = async () => {
    for (let n = next++; n < to; n = next++) {
      const item = paymentEntity.toItem(mixedPayment(org_id, n), START);
      items.push(item);
      await table.put(item);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return items;
}

/** Passes them to the projector, like a stream without another consumer. */
export async function projectAll(table: TablePort, items: readonly Item[]): Promise<void> {
  const [clock, log] = [stoppedClock(), { info() {}, warn() {}, error() {} }];
  const deps = {
    totals: new TotalsRepo(table),
    clock,
    log,
    config: { stage: 'sandbox' },
  } as const;
  for (let from = 0; from < items.length; from += BATCH) {
    const records = items
      .slice(from, from + BATCH)
      .map((item, n) => ({ seq: String(from + n + 1).padStart(12, '0'), key: item, new: item }));
    const { retryFrom } = await projectChanges({ id: 'shard-1' }, changesIn(records), deps);
    if (retryFrom !== undefined) throw new Error(`The projector stopped at ${retryFrom}.`);
  }
}
