import { declineOf, type FailureCode, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import type { Failure } from '#shared/domain/payments/payment.model.ts';

/** Codes hidden from customers, so that card testers don't learn why a card is refused; the merchant sees them all. */
const CONCEALED: ReadonlySet<string> = new Set([
  'lost_card',
  'stolen_card',
  'fraud_suspected',
  'fraud_blocked',
] satisfies readonly FailureCode[]);

/**
 * A failure as the customer's browser sees it. A provider's own code may reveal the merchant's account or a hidden
 * reason.
 */
export const toldToCustomer = (failure: Failure): Failure =>
  CONCEALED.has(failure.code) ? failureOf(declineOf('card_declined')) : { ...failure, provider_code: null };
