import type { FeeStructure } from '#shared/domain/connection.model.ts';

type Charged = { readonly amount: number; readonly currency: string; readonly method: string };

/**
 * What a provider takes of this payment, in minor units, fractions included: it is compared, never charged. The closest
 * line counts, currency before method before all, for each part by itself. Nothing said costs nothing.
 */
export function feeFor(fees: FeeStructure | null, { amount, currency, method }: Charged): number {
  const lines = [fees?.per_currency?.[currency], fees?.per_method?.[method], fees ?? undefined];
  const closest = (part: 'percentage' | 'fixed') => lines.find((line) => line?.[part] !== undefined)?.[part] ?? 0;
  return (amount * closest('percentage')) / 100 + closest('fixed');
}
