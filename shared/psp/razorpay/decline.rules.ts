import { type Decline, declineOf } from '#shared/domain/declines.catalog.ts';
import { REASONS } from '#shared/psp/razorpay/declines.catalog.ts';
import { codeOf } from '#shared/psp/razorpay/error.rules.ts';

type Said = { readonly reason: string | null | undefined; readonly source: string | null | undefined };

const BANKS = new Set(['bank', 'issuer_bank', 'issuer', 'beneficiary_bank', 'customer', 'customer_psp']);

const known = (reason: string | null) => (reason !== null && Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined);

/** A payment has failed. A reason we don't know is a plain decline where the bank or the customer spoke, and a fault of the provider elsewhere. */
export function toDecline({ reason: given, source }: Said): Decline {
  const reason = codeOf(given);
  const line = known(reason) ?? (BANKS.has(source ?? '') ? 'card_declined' : 'processing_error');
  return typeof line === 'string' ? declineOf(line, reason) : declineOf(line[0], reason, line[1]);
}

/** What is refused before a payment is begun is a decline only for a reason that is one. */
export const declineBefore = (said: Said): Decline | undefined => (known(codeOf(said.reason)) === undefined ? undefined : toDecline(said));
