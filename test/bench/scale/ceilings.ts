import type { KindLoad } from '#test/bench/payment-load.ts';
import { hottestShare, ownerOf, type TenantSize } from '#test/bench/scale/key-families.ts';

/** What DynamoDB gives one partition, whatever the table has in all. */
export const PARTITION = { wcu: 1_000, rcu: 3_000 };

export type Ceiling = {
  readonly name: string;
  readonly owner: string;
  /** Units of a payment. */
  readonly wru: number;
  readonly rru: number;
  /** Units a second of the hottest partition at the given rate. */
  readonly wcu: number;
  readonly rcu: number;
  /** Payments a second at which it takes no more; infinite where each payment has a partition of its own. */
  readonly paymentsPerSecond: number;
};

/** A throttled index makes the table refuse its writes, so the ceiling of an index is one of the table. */
export function ceilingsOf(loads: readonly KindLoad[], size: TenantSize, rate: number): readonly Ceiling[] {
  const ceilings = loads.map((load) => {
    const share = hottestShare(load, size);
    const [wru, rru] = [load.wru * share, load.rru * share];
    return {
      name: load.name,
      owner: ownerOf(load),
      wru: load.wru,
      rru: load.rru,
      wcu: wru * rate,
      rcu: rru * rate,
      paymentsPerSecond: Math.min(PARTITION.wcu / wru, PARTITION.rcu / rru),
    };
  });
  return ceilings.sort((a, b) => a.paymentsPerSecond - b.paymentsPerSecond);
}
