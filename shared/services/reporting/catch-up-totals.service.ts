import { MINUTE, plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { HeldTotals } from '#shared/ports/totals.port.ts';

/** How long a total that cannot be written is left alone. */
export const HOLD_TIME = MINUTE;

type CatchUpDeps = Pick<Deps, 'totals' | 'clock' | 'log'> & { readonly config: Pick<Deps['config'], 'stage'> };

/**
 * Adds what a shard holds to the totals that can take it by now. A change that was added before is skipped, and if the
 * shard has held more meanwhile, nothing is released: both repeat harmlessly.
 */
export async function catchUpTotals(shard: string, deps: CatchUpDeps): Promise<void> {
  const { totals, clock } = deps;
  const held = await totals.held(shard);
  if (!held || held.totals.length === 0) return;
  const added = await Promise.all(held.totals.map((total) => addHeld(held.shard, total, deps)));
  const left = held.totals.filter((_, n) => !added[n]);
  await totals.hold({ ...held, version: held.version + 1, totals: left }, plus(clock.now(), HOLD_TIME));
}

async function addHeld(
  id: string,
  { of, steps }: HeldTotals['totals'][number],
  { totals, clock, config, log }: CatchUpDeps,
): Promise<boolean> {
  try {
    const counted = await totals.add(of, { id }, steps, clock.now());
    await totals.summarize(of.org_id, [counted], config.stage, clock.now());
    return true;
  } catch (error) {
    log.warn('totals_held', { kind: of.kind, org_id: of.org_id, changes: steps.length, error });
    return false;
  }
}
