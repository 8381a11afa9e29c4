import { metricsOf } from '#shared/domain/payments/payment-metrics.rules.ts';
import type { Metric } from '#shared/domain/reference/metrics.catalog.ts';
import { executionDeltas, paymentDeltas, type TotalsDelta, totalName } from '#shared/domain/reporting/totals.rules.ts';
import type { ChangesResult, RecordChange } from '#shared/ports/changes.port.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'totals' | 'clock' | 'log'>;
type CountedChange = { readonly deltas: readonly TotalsDelta[]; readonly metrics: readonly Metric[] };

/**
 * Adds a batch of changes to the totals, with one write per total. A failed change and all after it are delivered
 * again, and totals skip what they counted before. Metrics are logged once a change is done; a crash may repeat them.
 */
export async function projectChanges(
  shard: string,
  changes: readonly RecordChange[],
  deps: Needs,
): Promise<ChangesResult> {
  const counted = changes.map((change) => ({ seq: change.seq, ...count(change) }));
  const steps = counted.flatMap(({ seq, deltas }) => deltas.map((delta) => ({ ...delta, seq })));
  const failed = await Promise.all(
    [...Map.groupBy(steps, ({ of }) => totalName(of)).values()].map((group) => addAll(shard, group, deps)),
  );
  const [retryFrom] = failed.filter((seq) => seq !== undefined).sort();
  const done = counted.filter(({ seq }) => retryFrom === undefined || seq < retryFrom);
  for (const { event, fields } of done.flatMap(({ metrics }) => metrics)) deps.log.info(event, fields);
  return retryFrom === undefined ? {} : { retryFrom };
}

/** What a change adds to totals and metrics. A new count is a case here. */
function count(change: RecordChange): CountedChange {
  switch (change.kind) {
    case 'payment': {
      const [old, next] = [change.old?.(), change.new?.()];
      return { deltas: paymentDeltas(old, next), metrics: metricsOf(old, next) };
    }
    case 'execution':
      return { deltas: executionDeltas(change.old?.(), change.new?.()), metrics: [] };
    default:
      return { deltas: [], metrics: [] };
  }
}

/** Returns the first change that must be delivered again. */
async function addAll(
  shard: string,
  steps: readonly (TotalsDelta & { readonly seq: string })[],
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
