import type { PspOperation } from '#shared/ports/psp.port.ts';

/** Which of our calls a request belongs to. */
export type Purpose = { readonly operation: PspOperation; readonly paymentId: string | null };

/**
 * Where looking at a charge may capture it. `wanted` is false where the payment has ended meanwhile: what is only
 * authorized is left so.
 */
export type ChargePurpose = Purpose & { readonly wanted?: boolean };
