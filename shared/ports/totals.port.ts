import type { SubscriptionTotals } from '#shared/domain/billing/subscription-stats.rules.ts';
import type { DayTotals } from '#shared/domain/payments/stats.rules.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Sums, TotalKey, TotalsDelta } from '#shared/domain/reporting/totals.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { CallTotals } from '#shared/domain/routing/health.rules.ts';

/** A delta with the number of its change. */
export type TotalsStep = Pick<TotalsDelta, 'add' | 'latest'> & { readonly seq: string };

/**
 * A shard of the change feed. `parents`: each shard's parent, as far as the feed knows. A parent is read first.
 * `nothingHeld`: the batch before this one ended with nothing held, so that need not be read.
 */
export type FeedShard = {
  readonly id: string;
  readonly nothingHeld?: boolean;
  readonly parents?: () => Promise<ReadonlyMap<string, string>>;
};

/** `sums`: after the write, of the part of the total that was written. `whole`: there are no other parts. */
export type CountedTotal = { readonly of: TotalKey; readonly sums: Sums; readonly whole: boolean };

/**
 * Changes of a shard that a total could not take. Later ones of the same shard and total wait behind them. `hasEnded`:
 * the shard was read to its end, and the totals no longer have its marks: what it delivers was counted before.
 */
export type HeldTotals = {
  readonly shard: string;
  readonly version: number;
  readonly totals: readonly { readonly of: TotalKey; readonly steps: readonly TotalsStep[] }[];
  readonly hasEnded?: true;
};

export type DaysQuery = {
  readonly from: string;
  readonly to: string;
  readonly currency?: string;
  readonly connection_id?: string;
};

export interface TotalsPort extends StoredTotalsPort {
  /**
   * Adds steps of one shard, in order. Steps that were added before are skipped: they may be delivered again, in other
   * batches, and to two consumers at once.
   */
  add(of: TotalKey, shard: FeedShard, steps: readonly TotalsStep[], at: Date): Promise<CountedTotal>;
  /**
   * Rewrites what payments read of an organization's totals, if these changes show there. `stage`: plans limit the live
   * stage only.
   */
  summarize(orgId: string, counted: readonly CountedTotal[], stage: Stage, at: Date): Promise<void>;
  /** Found by the shard's id, or by the id of the due entry. */
  held(shard: string): Promise<HeldTotals | undefined>;
  /** Stores what is held now, due at that time; false if another worker was first, or if it is too much. */
  hold(held: HeldTotals, dueAt: Date): Promise<boolean>;
}

/** What functions without a part in the counting may do. */
export interface StoredTotalsPort {
  /** From and to are days, both included. */
  days(orgId: string, where: DaysQuery): Promise<readonly DayTotals[]>;
  callTotals(connection: Pick<Connection, 'org_id' | 'id' | 'generation'>): Promise<CallTotals | undefined>;
  /** Those of these connections that had calls, by id. */
  callTotalsOf(
    orgId: string,
    connections: readonly Pick<Connection, 'id' | 'generation'>[],
  ): Promise<ReadonlyMap<string, CallTotals>>;
}

/** Totals of subscriptions, as they are read. */
export interface SubscriptionTotalsPort {
  /** How they stand now, and what moved on this day and on all later ones. */
  since(orgId: string, day: string, currency?: string): Promise<readonly SubscriptionTotals[]>;
}
