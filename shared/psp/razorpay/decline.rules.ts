import { type Decline, declineOf } from '#shared/domain/declines.catalog.ts';
import type { ChargeOrder, PspOutcome } from '#shared/ports/psp.port.ts';
import { BY_FIELD, BY_WORDS, REASONS } from '#shared/psp/razorpay/declines.catalog.ts';
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

/** What is refused before a payment is begun is a decline only for a reason that is one, or for what is in the request. */
export function declineBefore({ status, fault }: Refused): Decline | undefined {
  const { reason, source, description, field } = fault;
  const code = codeOf(reason);
  if (known(code) !== undefined) return toDecline({ reason, source });
  if (status !== 400) return undefined;
  const [, byWords] = BY_WORDS.find(([words]) => words.test((description ?? '').slice(0, LONGEST))) ?? [];
  const failure = byWords ?? (field && Object.hasOwn(BY_FIELD, field) ? BY_FIELD[field] : undefined);
  return failure && declineOf(failure, code);
}

/** In a text as long as an answer may be, our patterns would search for long. */
const LONGEST = 300;

/**
 * The same of a charge by token, which may also fail for a token or a customer that is not there, or not any more: neither
 * has a reason of its own. The order is just made, so it is none of the ids.
 */
export function tokenDecline(refused: Refused): Decline | undefined {
  const { reason, field } = refused.fault;
  const isOfToken = known(codeOf(reason)) === undefined && refused.status === 400 && (field === 'method' || isUnknownId(refused));
  return isOfToken ? declineOf('invalid_payment_method', codeOf(reason)) : declineBefore(refused);
}

/** The same without the customer, where it may also be for a mandate of less. */
export function unattendedDecline(refused: Refused): Decline | undefined {
  const { reason, description } = refused.fault;
  const isTooMuch = refused.status === 400 && known(codeOf(reason)) === undefined && /amount exceeds maximum amount allowed/i.test(description ?? '');
  return isTooMuch ? declineOf('limit_exceeded', codeOf(reason), 'new_method') : tokenDecline(refused);
}

/** Where nobody was there, nobody failed to authenticate: the bank wants the customer, and has no other word for it. */
export function asUnattended(outcome: PspOutcome, { offSession }: ChargeOrder): PspOutcome {
  if (!offSession || outcome.kind !== 'declined' || outcome.decline.code !== 'authentication_failed') return outcome;
  return { ...outcome, decline: declineOf('authentication_required', outcome.decline.provider_code) };
}
