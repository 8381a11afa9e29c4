import type { DayTotals } from '#shared/domain/payments/stats.rules.ts';
import type { Delta, Place } from '#shared/domain/reporting/totals.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { CallTotals } from '#shared/domain/routing/health.rules.ts';

/** A delta with the number of its change. */
export type Step = Pick<Delta, 'add' | 'latest'> & { readonly seq: string };

export type DaysWhere = {
  readonly from: string;
  readonly to: string;
  readonly currency?: string;
  readonly connection_id?: string;
};

export interface TotalsPort {
  /**
   * Steps of one shard, in order. Ones that were added before are skipped: they may come again, batched differently,
   * and from two consumers at once.
   */
  add(of: Place, shard: string, steps: readonly Step[], at: Date): Promise<void>;
  /** From and to are days, both included. */
  days(orgId: string, where: DaysWhere): Promise<readonly DayTotals[]>;
  calls(connection: Pick<Connection, 'org_id' | 'id' | 'generation'>): Promise<CallTotals | undefined>;
}
