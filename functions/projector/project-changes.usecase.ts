import { metricsOf } from '#shared/domain/payments/payment-metrics.rules.ts';
import type { Metric } from '#shared/domain/reference/metrics.catalog.ts';
import { type Delta, deltasOf, executionDeltas, placeName } from '#shared/domain/reporting/totals.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { FeedRecord, Item } from '#shared/ports/table.port.ts';

type Needs = Pick<Deps, 'payments' | 'executions' | 'totals' | 'clock' | 'log'>;
type Counted = { readonly deltas: readonly Delta[]; readonly metrics: readonly Metric[] };

/** What a change counts for, by the item's type. Adding a count is adding a line. */
const COUNTED: Readonly<Record<string, (record: FeedRecord, deps: Needs) => Counted>> = {
  payment: (record, { payments }) => {
    const [old, next] = imagesOf(record, (item) => payments.read(item));
    return { deltas: deltasOf(old, next), metrics: metricsOf(old, next) };
  },
  execution: (record, { executions }) => ({
    deltas: executionDeltas(...imagesOf(record, (item) => executions.read(item))),
    metrics: [],
  }),
};

/**
 * Adds a batch of changes to the totals, one write for each total. A failed change and all after it are delivered
 * again, and totals skip what they have already. Metrics are written once a change is done, and again for changes that
 * a crash repeats.
 */
export async function projectChanges(
  shard: string,
  records: readonly FeedRecord[],
  deps: Needs,
): Promise<{ readonly retryFrom?: string }> {
  const changes = records.flatMap((record) => {
    const counted = COUNTED[String((record.new ?? record.old)?.item_type)]?.(record, deps);
    return counted ? [{ seq: record.seq, ...counted }] : [];
  });
  const steps = changes.flatMap(({ seq, deltas }) => deltas.map((delta) => ({ ...delta, seq })));
  const failed = await Promise.all(
    [...Map.groupBy(steps, ({ of }) => placeName(of)).values()].map((group) => addAll(shard, group, deps)),
  );
  const [retryFrom] = failed.filter((seq) => seq !== undefined).sort();
  const done = changes.filter(({ seq }) => retryFrom === undefined || seq < retryFrom);
  for (const { event, fields } of done.flatMap(({ metrics }) => metrics)) deps.log.info(event, fields);
  return retryFrom === undefined ? {} : { retryFrom };
}

/** Answers the first change that must be delivered again. */
async function addAll(
  shard: string,
  steps: readonly (Delta & { readonly seq: string })[],
  { totals, clock, log }: Needs,
): Promise<string | undefined> {
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

const imagesOf = <T>(
  { old, new: next }: FeedRecord,
  read: (item: Item) => T,
): readonly [T | undefined, T | undefined] => [old && read(old), next && read(next)];
