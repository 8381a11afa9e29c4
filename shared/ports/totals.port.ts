import type { DayTotals } from '#shared/domain/payments/stats.rules.ts';
import type { TotalKey, TotalsDelta } from '#shared/domain/reporting/totals.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { CallTotals } from '#shared/domain/routing/health.rules.ts';

/** A delta with the number of its change. */
export type TotalsStep = Pick<TotalsDelta, 'add' | 'latest'> & { readonly seq: string };

export type DaysQuery = {
  readonly from: string;
  readonly to: string;
  readonly currency?: string;
  readonly connection_id?: string;
};

export interface TotalsPort {
  /**
   * Adds steps of one shard, in order. Steps that were added before are skipped: they may be delivered again, in other
   * batches, and to two consumers at once.
   */
  add(of: TotalKey, shard: string, steps: readonly TotalsStep[], at: Date): Promise<void>;
  /** From and to are days, both included. */
  days(orgId: string, where: DaysQuery): Promise<readonly DayTotals[]>;
  callTotals(connection: Pick<Connection, 'org_id' | 'id' | 'generation'>): Promise<CallTotals | undefined>;
}
