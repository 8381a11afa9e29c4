import { type Decline, declineOf } from '#shared/domain/payments/declines.catalog.ts';
import type { ChargeOrder, PspOutcome } from '#shared/ports/psp.port.ts';
import { BY_FIELD, BY_WORDS, REASONS } from '#shared/psp/razorpay/declines.catalog.ts';
import { codeOf, isUnknownId, type Refused } from '#shared/psp/razorpay/error.rules.ts';

type Said = { readonly reason: string | null | undefined; readonly source: string | null | undefined };

const BANKS = new Set(['bank', 'issuer_bank', 'issuer', 'beneficiary_bank', 'customer', 'customer_psp']);

const known = (reason: string | null) =>
  reason !== null && Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;

/**
 * Razorpay's failed payment. An unknown reason is a plain decline if the bank or the customer caused it, and otherwise
 * a provider fault.
 */
export function toDecline({ reason: given, source }: Said): Decline {
  const reason = codeOf(given);
  const line = known(reason) ?? (BANKS.has(source ?? '') ? 'card_declined' : 'processing_error');
  return typeof line === 'string' ? declineOf(line, reason) : declineOf(line[0], reason, line[1]);
}

/** A request refused before a payment began is a decline only for a known reason, or for its content. */
export function declineBefore({ status, fault }: Refused): Decline | undefined {
  const { reason, source, description, field } = fault;
  const code = codeOf(reason);
  if (known(code) !== undefined) return toDecline({ reason, source });
  if (status !== 400) return undefined;
  const [, byWords] = BY_WORDS.find(([words]) => words.test((description ?? '').slice(0, LONGEST))) ?? [];
  const failure = byWords ?? (field && Object.hasOwn(BY_FIELD, field) ? BY_FIELD[field] : undefined);
  return failure && declineOf(failure, code);
}

/** On a text of an answer's full length our patterns would run for long. */
const LONGEST = 300;

/**
 * The same for a token charge, whose token or customer may be missing or deleted: neither has a code. The order is new,
 * so it is not the missing one.
 */
export function tokenDecline(refused: Refused): Decline | undefined {
  const { reason, field } = refused.fault;
  const isOfToken =
    known(codeOf(reason)) === undefined && refused.status === 400 && (field === 'method' || isUnknownId(refused));
  return isOfToken ? declineOf('invalid_payment_method', codeOf(reason)) : declineBefore(refused);
}

/** The same off-session, where the mandate's limit may also be too low. */
export function unattendedDecline(refused: Refused): Decline | undefined {
  const { reason, description } = refused.fault;
  const isTooMuch =
    refused.status === 400 &&
    known(codeOf(reason)) === undefined &&
    /amount exceeds maximum amount allowed/i.test(description ?? '');
  return isTooMuch ? declineOf('limit_exceeded', codeOf(reason), 'new_method') : tokenDecline(refused);
}

/** Off-session there was no one to authenticate: the bank requires the customer, and has no other code for it. */
export function asUnattended(outcome: PspOutcome, { offSession }: ChargeOrder): PspOutcome {
  if (!offSession || outcome.kind !== 'declined' || outcome.decline.code !== 'authentication_failed') return outcome;
  return { ...outcome, decline: declineOf('authentication_required', outcome.decline.provider_code) };
}
