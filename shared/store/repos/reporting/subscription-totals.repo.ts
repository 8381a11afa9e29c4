import type { SubscriptionTotals } from '#shared/domain/billing/subscription-stats.rules.ts';
import type { SubscriptionTotalsPort } from '#shared/ports/totals.port.ts';
import { subscriptionTotalsFrom } from '#shared/store/keys.ts';
import { allLanes, sumLanes } from '#shared/store/repos/reporting/total-lanes.ts';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';

/** One range of the organization's totals: what is read depends on days and currencies, not on subscriptions. */
export class SubscriptionTotalsRepo implements SubscriptionTotalsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async since(orgId: string, day: string, currency?: string): Promise<readonly SubscriptionTotals[]> {
    const lanes = await allLanes(this.#table, orgId, {
      range: subscriptionTotalsFrom(day),
      ...(currency !== undefined && { filter: { eq: ['currency', currency] } }),
    });
    return [...Map.groupBy(lanes, ({ sk }) => sk)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, own]) => toTotals(own));
  }
}

const toTotals = (lanes: readonly Item[]): SubscriptionTotals => {
  const { day, currency } = lanes[0] as unknown as Omit<SubscriptionTotals, 'sums'>;
  return { day, currency, sums: sumLanes(lanes) };
};
