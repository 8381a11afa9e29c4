import type { FeeStructure } from '#shared/domain/routing/connection.model.ts';

type Charged = { readonly amount: number; readonly currency: string; readonly method: string };

/**
 * A provider's fee for this payment, in fractional minor units: for comparison only, never charged. The most specific
 * line counts, currency before method before all, separately for each part. A missing fee is 0.
 */
export function feeFor(fees: FeeStructure | null, { amount, currency, method }: Charged): number {
  const lines = [fees?.per_currency?.[currency], fees?.per_method?.[method], fees ?? undefined];
  const closest = (part: 'percentage' | 'fixed') => lines.find((line) => line?.[part] !== undefined)?.[part] ?? 0;
  return (amount * closest('percentage')) / 100 + closest('fixed');
}
