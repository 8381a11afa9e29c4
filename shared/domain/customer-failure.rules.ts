import { declineOf, type FailureCode, failureOf } from '#shared/domain/declines.catalog.ts';
import type { Failure } from '#shared/domain/payment.model.ts';

/** Who tries out cards that are not theirs learns nothing of why one is refused; the merchant sees it all. */
const CONCEALED: ReadonlySet<string> = new Set(['lost_card', 'stolen_card', 'fraud_suspected', 'fraud_blocked'] satisfies readonly FailureCode[]);

/** A failure as the customer's browser is told. A provider's own code may speak of the merchant's account, or say what is concealed. */
export const toldToCustomer = (failure: Failure): Failure =>
  CONCEALED.has(failure.code) ? failureOf(declineOf('card_declined')) : { ...failure, provider_code: null };
