import type { Payment } from '#shared/domain/payment.model.ts';
import { metricsOf } from '#shared/domain/payment-metrics.rules.ts';
import { deltasOf, placeName } from '#shared/domain/totals.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { FeedRecord, Item } from '#shared/ports/table.port.ts';

type Needs = Pick<Deps, 'payments' | 'totals' | 'clock' | 'log'>;

/**
 * Changes of payments in, totals out: what a batch adds to a total is one write. What failed is told again, together with
 * what comes behind it; totals that have it already leave it out. Metrics have no such memory: they hear of what is done,
 * and once more of what a crash repeats.
 */
export async function projectChanges(shard: string, records: readonly FeedRecord[], deps: Needs): Promise<{ readonly retryFrom?: string }> {
  const changes = records.filter(isPayment).map((record) => changeOf(record, deps));
  const steps = changes.flatMap(stepsOf);
  const failed = await Promise.all([...Map.groupBy(steps, ({ of }) => placeName(of)).values()].map((group) => addAll(shard, group, deps)));
  const [retryFrom] = failed.filter((seq) => seq !== undefined).sort();
  const done = changes.filter(({ seq }) => retryFrom === undefined || seq < retryFrom);
  for (const { event, fields } of done.flatMap(({ old, next }) => metricsOf(old, next))) deps.log.info(event, fields);
  return retryFrom === undefined ? {} : { retryFrom };
}

type PlacedStep = ReturnType<typeof stepsOf>[number];

/** Answers the first change that must be told again. */
async function addAll(shard: string, steps: readonly PlacedStep[], { totals, clock, log }: Needs): Promise<string | undefined> {
  const [first] = steps;
  if (!first) return undefined;
  try {
    await totals.add(first.of, shard, steps, clock.now());
    return undefined;
  } catch (error) {
    log.warn('totals_failed', { error });
    return first.seq;
  }
}

type PaymentChange = { readonly seq: string; readonly old: Payment | undefined; readonly next: Payment | undefined };

function changeOf({ seq, old, new: next }: FeedRecord, { payments }: Needs): PaymentChange {
  const read = (item: Item | undefined) => item && payments.read(item);
  return { seq, old: read(old), next: read(next) };
}

const stepsOf = ({ seq, old, next }: PaymentChange) => deltasOf(old, next).map((delta) => ({ ...delta, seq }));

const isPayment = ({ old, new: next }: FeedRecord): boolean => (next ?? old)?.item_type === 'payment';
