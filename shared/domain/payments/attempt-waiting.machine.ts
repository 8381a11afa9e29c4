import { isDeepStrictEqual } from 'node:util';
import { advance, allows, currentAttempt, replaceAttempt, touched } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { VerdictOf } from '#shared/domain/payments/verdict.model.ts';

/**
 * The expiry of the page or of the reserved link slot, whichever is earlier. If there is neither, the default applies.
 */
function expiryOf(pageExpiry: string | undefined, holdExpiry: string | undefined): Pick<Attempt, 'expires_at'> {
  const expiries = [pageExpiry, holdExpiry]
    .filter((end) => end !== undefined)
    .sort((a, b) => Date.parse(a) - Date.parse(b));
  return expiries[0] === undefined ? {} : { expires_at: expiries[0] };
}

type AcceptedVerdict = VerdictOf<'processing' | 'requires_action'>;

/** The PSP has the charge, and has not decided it yet. */
export const accept = (payment: Payment, attempt: Attempt, verdict: AcceptedVerdict, at: Date): Payment | undefined =>
  verdict.kind === 'requires_action'
    ? askCustomer(payment, attempt, verdict, at)
    : awaitPsp(payment, attempt, verdict, at);

function askCustomer(
  payment: Payment,
  attempt: Attempt,
  verdict: VerdictOf<'requires_action'>,
  at: Date,
): Payment | undefined {
  const hasNewAction = decidesPayment(payment, attempt) && !isDeepStrictEqual(payment.next_action, verdict.action);
  if (isAlreadyRecorded(attempt, verdict) && !hasNewAction) return undefined;
  const withAction: Attempt = {
    ...acceptedAttempt(attempt, verdict),
    handed_out: true,
    ...expiryOf(verdict.expires_at, payment.link_hold?.until),
  };
  const updated = replaceAttempt(touched(payment, at), withAction);
  if (!decidesPayment(payment, attempt)) return updated;
  const withReference = { ...updated, psp_reference: verdict.reference };
  return allows(payment, 'ask_customer')
    ? { ...advance(withReference, 'ask_customer', at), next_action: verdict.action }
    : withReference;
}

function awaitPsp(payment: Payment, attempt: Attempt, verdict: VerdictOf<'processing'>, at: Date): Payment | undefined {
  if (isAlreadyRecorded(attempt, verdict)) return undefined;
  const updated = replaceAttempt(touched(payment, at), acceptedAttempt(attempt, verdict));
  if (!decidesPayment(payment, attempt)) return updated;
  const withReference = { ...updated, psp_reference: verdict.reference };
  return allows(payment, 'resume') ? advance(withReference, 'resume', at) : withReference;
}

/** Whether the payment's status follows this attempt. */
const decidesPayment = (payment: Payment, attempt: Attempt): boolean =>
  currentAttempt(payment)?.id === attempt.id && allows(payment, 'cancel');

const isAlreadyRecorded = (attempt: Attempt, { kind, reference }: AcceptedVerdict): boolean =>
  attempt.phase === 'accepted' && attempt.status === kind && attempt.psp_reference === reference;

const acceptedAttempt = (attempt: Attempt, { kind, reference }: AcceptedVerdict): Attempt => ({
  ...attempt,
  status: kind,
  phase: 'accepted',
  psp_reference: reference,
});
