import { subscriptionDeltas } from '#shared/domain/billing/subscription-totals.rules.ts';
import { metricsOf } from '#shared/domain/payments/payment-metrics.rules.ts';
import type { Metric } from '#shared/domain/reference/metrics.catalog.ts';
import {
  disputeDeltas,
  executionDeltas,
  paymentDeltas,
  type TotalsDelta,
  totalName,
} from '#shared/domain/reporting/totals.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { inTrace } from '#shared/kernel/operation.ts';
import { pause } from '#shared/kernel/retry-on-conflict.ts';
import type { ChangesResult, RecordChange } from '#shared/ports/changes.port.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { CountedTotal, FeedShard, HeldTotals, TotalsStep } from '#shared/ports/totals.port.ts';
import { HOLD_TIME } from '#shared/services/reporting/catch-up-totals.service.ts';

type Needs = Pick<Deps, 'totals' | 'clock' | 'log'> & { readonly config: Pick<Deps['config'], 'stage'> };
type CountedChange = {
  readonly deltas: readonly TotalsDelta[];
  readonly metrics: readonly Metric[];
  readonly trace?: string | undefined;
};
type Step = TotalsStep & Pick<TotalsDelta, 'of'>;
/** The steps of one total, and what came of them: the total, or nothing yet. */
type Added = { readonly steps: readonly Step[]; readonly total?: CountedTotal };

/** `nothingHeld`: for the next batch of the shard. */
export type ProjectedBatch = ChangesResult & { readonly nothingHeld: boolean };

/** A total that still refuses after these is held. */
const RETRY_DELAYS_MS: readonly number[] = [20, 200];

/**
 * Adds a batch of changes to the totals, with one write per total, and then to what payments read of them. A total that
 * cannot be written stops nothing else: its changes are held, and added by the timers. What cannot be held either is
 * delivered again, with all after it; totals skip what they counted before. Metrics are logged once a change is done; a
 * crash may repeat them.
 */
export async function projectChanges(
  shard: FeedShard,
  changes: readonly RecordChange[],
  deps: Needs,
  retryDelays = RETRY_DELAYS_MS,
): Promise<ProjectedBatch> {
  const counted = changes.map((change) => ({ seq: change.seq, ...count(change) }));
  const steps = counted.flatMap(({ seq, deltas }) => deltas.map((delta) => ({ ...delta, seq })));
  const nothingToAdd = { nothingHeld: shard.nothingHeld ?? false, retryFrom: undefined };
  const { retryFrom, nothingHeld } = steps.length === 0 ? nothingToAdd : await addAll(shard, steps, deps, retryDelays);
  const done = counted.filter(({ seq }) => retryFrom === undefined || seq < retryFrom);
  for (const { metrics, trace } of done)
    inTrace(trace, () => {
      for (const { event, fields } of metrics) deps.log.info(event, fields);
    });
  return retryFrom === undefined ? { nothingHeld } : { nothingHeld, retryFrom };
}

/** What a change adds to totals and metrics. A new count is a case here, and a line in `COUNTED_KINDS`. */
function count(change: RecordChange): CountedChange {
  switch (change.kind) {
    case 'payment': {
      const [old, next] = [change.old?.(), change.new?.()];
      return { deltas: paymentDeltas(old, next), metrics: metricsOf(old, next), trace: next?.trace };
    }
    case 'execution':
      return { deltas: executionDeltas(change.old?.(), change.new?.()), metrics: [] };
    case 'subscription':
      return { deltas: subscriptionDeltas(change.old?.(), change.new?.()), metrics: [] };
    case 'dispute':
      return { deltas: disputeDeltas(change.old?.(), change.new?.()), metrics: [] };
    default:
      return { deltas: [], metrics: [] };
  }
}

/** `retryFrom`: the first change that must be delivered again, if any. */
async function addAll(
  shard: FeedShard,
  steps: readonly Step[],
  deps: Needs,
  retryDelays: readonly number[],
): Promise<{ readonly nothingHeld: boolean; readonly retryFrom: string | undefined }> {
  const { totals, log } = deps;
  try {
    const held = shard.nothingHeld ? undefined : await totals.held(shard.id);
    if (held?.hasEnded) return { nothingHeld: false, retryFrom: undefined };
    const waiting = new Set(held?.totals.map(({ of }) => totalName(of)));
    const groups = [...Map.groupBy(steps, ({ of }) => totalName(of))];
    const added: readonly Added[] = await Promise.all(
      groups.map(([name, own]) => (waiting.has(name) ? { steps: own } : addToTotal(shard, own, deps, retryDelays))),
    );
    const open = added.filter(({ total }) => total === undefined).map(({ steps: own }) => own);
    const notHeld = await holdSteps(shard.id, held, open, deps);
    const [first] = [...notHeld, ...(await summarizeAll(added, deps))].sort();
    // All of it: the next batch may not know what is held, and must not pass over the steps before its first one.
    const retryFrom = first !== undefined && open.length > 0 && notHeld.length === 0 ? steps[0]?.seq : first;
    return { nothingHeld: !held?.totals.length && open.length === 0, retryFrom };
  } catch (error) {
    log.warn('totals_failed', { error });
    return { nothingHeld: false, retryFrom: steps[0]?.seq };
  }
}

async function addToTotal(
  shard: FeedShard,
  steps: readonly Step[],
  { totals, clock, log }: Needs,
  retryDelays: readonly number[],
): Promise<Added> {
  for (const delay of [...retryDelays, undefined]) {
    try {
      const [{ of }] = steps as readonly [Step];
      return { steps, total: await totals.add(of, shard, steps, clock.now()) };
    } catch (error) {
      log.warn('totals_failed', { error });
      if (delay !== undefined) await pause(delay);
    }
  }
  return { steps };
}

/** Appends to what the shard holds. Returns the changes that could not be held. */
async function holdSteps(
  shard: string,
  held: HeldTotals | undefined,
  open: readonly (readonly Step[])[],
  { totals, clock, log }: Needs,
): Promise<readonly string[]> {
  if (open.length === 0) return [];
  const hold = (before: HeldTotals | undefined) =>
    totals.hold(
      { shard, version: (before?.version ?? 0) + 1, totals: appended(before, open) },
      plus(clock.now(), HOLD_TIME),
    );
  // An invocation that crashed may have held these already.
  const isHeld = (await hold(held)) || (!held && (await hold(await totals.held(shard))));
  log.warn(isHeld ? 'totals_held' : 'totals_not_held', { totals: open.length });
  return isHeld ? [] : open.flatMap((steps) => steps[0]?.seq ?? []);
}

/** Steps that were held before are delivered again after a crash. */
function appended(held: HeldTotals | undefined, open: readonly (readonly Step[])[]): HeldTotals['totals'] {
  const before = new Map(held?.totals.map((total) => [totalName(total.of), total]));
  for (const steps of open) {
    const [{ of }] = steps as readonly [Step];
    const known = before.get(totalName(of))?.steps ?? [];
    const last = known.at(-1)?.seq ?? '';
    const fresh = steps.filter(({ seq }) => seq > last).map(({ of: _, ...step }) => step);
    before.set(totalName(of), { of, steps: [...known, ...fresh] });
  }
  return [...before.values()];
}

/** Returns the first change of each organization whose summary could not be written. */
async function summarizeAll(
  added: readonly Added[],
  { totals, clock, config, log }: Needs,
): Promise<readonly string[]> {
  const organizations = Map.groupBy(added, ({ steps }) => steps[0]?.of.org_id ?? '');
  const failed = await Promise.all(
    [...organizations].map(async ([orgId, own]) => {
      const done = own.flatMap(({ total }) => total ?? []);
      try {
        await totals.summarize(orgId, done, config.stage, clock.now());
        return [];
      } catch (error) {
        log.warn('summary_failed', { error });
        return own.flatMap(({ steps }) => steps[0]?.seq ?? []);
      }
    }),
  );
  return failed.flat();
}
