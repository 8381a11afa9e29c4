import { type Decline, declineOf } from '#shared/domain/declines.catalog.ts';
import type { ChargeOrder, PspOutcome } from '#shared/ports/psp.port.ts';
import { REASONS } from '#shared/psp/razorpay/declines.catalog.ts';
import { codeOf, isUnknownId, type Refused } from '#shared/psp/razorpay/error.rules.ts';

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

/**
 * The same of a charge without its customer, which may also fail for a token or a customer that is not there any more, or
 * for a mandate of less: neither has a reason of its own. The order is just made, so it is none of the ids.
 */
export function unattendedDecline(refused: Refused): Decline | undefined {
  const { reason, source, description } = refused.fault;
  const known = declineBefore({ reason, source });
  if (known || refused.status !== 400) return known;
  if (isUnknownId(refused)) return declineOf('invalid_payment_method', codeOf(reason));
  return /amount exceeds maximum amount allowed/i.test(description ?? '') ? declineOf('limit_exceeded', codeOf(reason), 'new_method') : undefined;
}

/** Where nobody was there, nobody failed to authenticate: the bank wants the customer, and has no other word for it. */
export function asUnattended(outcome: PspOutcome, { offSession }: ChargeOrder): PspOutcome {
  if (!offSession || outcome.kind !== 'declined' || outcome.decline.code !== 'authentication_failed') return outcome;
  return { ...outcome, decline: declineOf('authentication_required', outcome.decline.provider_code) };
}
