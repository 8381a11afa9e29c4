import type { Connection } from '#shared/domain/connection.model.ts';
import type { CallTotals } from '#shared/domain/health.rules.ts';
import type { DayTotals } from '#shared/domain/stats.rules.ts';
import type { Delta, Place } from '#shared/domain/totals.rules.ts';

/** A delta with the number of the change that it follows from. */
export type Step = Pick<Delta, 'add' | 'latest'> & { readonly seq: string };

export type DaysWhere = { readonly from: string; readonly to: string; readonly currency?: string; readonly connection_id?: string };

export interface TotalsPort {
  /** Steps of one shard, in order. What was added before is left out: they may come again, cut differently, and from two sides at once. */
  add(of: Place, shard: string, steps: readonly Step[], at: Date): Promise<void>;
  /** From and to are days, both included. */
  days(orgId: string, where: DaysWhere): Promise<readonly DayTotals[]>;
  calls(connection: Pick<Connection, 'org_id' | 'id' | 'generation'>): Promise<CallTotals | undefined>;
}
