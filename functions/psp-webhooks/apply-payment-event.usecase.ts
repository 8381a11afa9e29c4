import type { VerifiedWebhook } from '#functions/psp-webhooks/verify-webhook.ts';
import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { adoptCharge, findReportedAttempt } from '#shared/domain/payments/callback.rules.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { AttemptConnection, Verdict } from '#shared/domain/payments/verdict.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import {
  type ChargeRef,
  type PaymentEvent,
  type PspOutcome,
  type PspRefund,
  PspRefused,
} from '#shared/ports/psp.port.ts';
import { applyRefundList, lookUpFailed } from '#shared/services/payments/apply-reported-refund.service.ts';
import { classifyLookup, verdictOf } from '#shared/services/payments/classify-outcome.service.ts';
import { chargeRef } from '#shared/services/payments/psp-session.service.ts';
import { sendAutomaticRefunds } from '#shared/services/payments/refund-payment.service.ts';
import { settlePayment } from '#shared/services/payments/settle-payment.service.ts';

type Needs = Pick<Deps, 'payments' | 'psp' | 'clock' | 'log' | 'connections' | 'retryBudget' | 'vault'>;

export type PaymentEventDeps = Needs;

/** What was refunded at the PSP is known before the rest of an unwanted charge is sent back. */
export async function applyPaymentEvent(
  webhook: VerifiedWebhook,
  event: PaymentEvent,
  deps: PaymentEventDeps,
): Promise<void> {
  const charged = await settleCharge(webhook, event, deps);
  if (!charged) return;
  const current = event.includesRefunds ? await applyRefunds(webhook, charged, deps) : charged.payment;
  await sendAutomaticRefunds(current, webhook.deadline, deps);
}

/** `refunds`: undefined unless the look-up of the charge has read them too. */
type SettledCharge = {
  readonly payment: Payment;
  readonly charge: ChargeRef;
  readonly refunds: readonly PspRefund[] | undefined;
};

/**
 * A signature proves the sender, not the content. Where the PSP has a look-up, the charge is fetched before anything
 * changes. Undefined for a charge that is not this payment's.
 */
export async function settleCharge(
  webhook: VerifiedWebhook,
  event: PaymentEvent,
  deps: PaymentEventDeps,
): Promise<SettledCharge | undefined> {
  const { payment, attemptConnection } = webhook;
  const attemptByReference = payment.attempts.find((a) => a.psp_reference === event.reference);
  const attempt =
    attemptByReference ??
    payment.attempts.find((a) => a.id === event.ourId) ??
    findReportedAttempt(payment, attemptConnection, []);
  const found = attemptByReference?.status === 'succeeded' ? {} : await verdictFor(webhook, event, attempt, deps);
  if (found === 'foreign') return undefined;
  const { verdict, refunds } = found;
  const page = verdict?.kind === 'succeeded' ? await findPage(webhook, verdict.reference, attempt, deps) : null;
  const settled = verdict
    ? await settlePayment(
        payment,
        (p) => applyVerdict(p, attemptConnection, { ...event, page }, verdict, deps.clock.now()),
        deps,
      )
    : payment;
  return { payment: settled, charge: refOf(settled, attempt, event.reference), refunds };
}

type Found = { readonly verdict?: Verdict; readonly refunds?: readonly PspRefund[] | undefined };

/** `foreign`: an unsigned callback may name a charge that is not this payment's. */
async function verdictFor(
  { payment, session }: VerifiedWebhook,
  event: PaymentEvent,
  attempt: Attempt | undefined,
  { log }: PaymentEventDeps,
): Promise<Found | 'foreign'> {
  if (event.reported) return { verdict: verdictOf(event.reported) };
  let isForeign = false;
  let refunds: Found['refunds'];
  const lookUp = async (reference: string) => {
    const charge = refOf(payment, attempt, reference);
    if (!event.includesRefunds || reference !== event.reference) return session.fetch(charge);
    const found = await session.fetchWithRefunds(charge);
    refunds = found.refunds;
    return found.outcome;
  };
  const fetch = (reference: string) =>
    lookUp(reference).catch((error: unknown) => {
      isForeign = error instanceof PspRefused && error.kind === 'not_found';
      throw error;
    });
  const first = await classifyLookup(() => fetch(event.reference), log);
  if (isForeign && session.adapter.unsignedCallbacks) return 'foreign';
  // The attempt is already paid, so this is a second charge. If it cannot be looked up now, the provider must deliver
  // the callback again: otherwise this money is never refunded.
  const isSecondCharge = attempt?.status === 'succeeded' && !isForeign;
  const verdict = isSecondCharge ? first : await verdictOfPage(fetch, first, event.reference, attempt, log);
  if (verdict.kind === 'unknown') throw lookUpFailed();
  return { verdict, refunds };
}

const refOf = (payment: Payment, attempt: Attempt | undefined, reference: string): ChargeRef =>
  attempt
    ? chargeRef(payment, attempt, reference)
    : { reference, paymentId: payment.id, attemptId: '', mayCapture: false };

/**
 * A declined try on a hosted page has its own reference, but the customer can still pay on the page. The page's status
 * therefore decides.
 */
async function verdictOfPage(
  fetch: (reference: string) => Promise<PspOutcome>,
  first: Verdict,
  reference: string,
  attempt: Attempt | undefined,
  log: PaymentEventDeps['log'],
): Promise<Verdict> {
  const page = attempt?.psp_reference;
  if (first.kind === 'succeeded' || page == null || page === reference) return first;
  return classifyLookup(() => fetch(page), log);
}

/**
 * The page of an earlier attempt, if the charge was paid there. A charge may have a reference of its own, and only the
 * page's look-up links the two. `expected`: the attempt that the event seems to be about.
 */
async function findPage(
  { payment, connection, session }: VerifiedWebhook,
  charge: string,
  expected: Attempt | undefined,
  { log }: PaymentEventDeps,
): Promise<string | null> {
  if (!expected || payment.attempts.some((a) => a.psp_reference === charge)) return null;
  const others = payment.attempts.filter(
    (a) => a.id !== expected.id && a.connection_id === connection.id && a.status !== 'succeeded',
  );
  for (const other of others) {
    const { psp_reference: page } = other;
    if (page === null) continue;
    const fetchPage = () => session.fetch({ ...chargeRef(payment, other), mayCapture: false });
    const verdict = await classifyLookup(fetchPage, log);
    // Not every provider has a look-up of pages. Without one the charge counts for the expected attempt.
    if (verdict.kind === 'succeeded' && verdict.reference === charge) return page;
  }
  return null;
}

type EventWithPage = PaymentEvent & { readonly page: string | null };

function applyVerdict(
  payment: Payment,
  attemptConnection: AttemptConnection,
  { reference, ourId, page }: EventWithPage,
  verdict: Verdict,
  at: Date,
): Payment | undefined {
  const charge = 'reference' in verdict ? verdict.reference : null;
  const attempt = findReportedAttempt(payment, attemptConnection, [page ?? reference, ourId, charge]);
  if (attempt)
    return mayOurCallFailOver(payment, attempt, verdict) ? undefined : settle(payment, attempt.id, verdict, at);
  if (verdict.kind !== 'succeeded') return undefined;
  const adopted = adoptCharge(payment, attemptConnection, verdict.reference, at);
  return settle(adopted.payment, adopted.attemptId, verdict, at);
}

/** Our own API call is still running. It will get the same result, and only that call can fail over. */
const mayOurCallFailOver = ({ alternatives }: Payment, attempt: Attempt, verdict: Verdict): boolean =>
  attempt.phase === 'calling' && verdict.kind === 'failed' && verdict.allowsFailover && alternatives.length > 0;

async function applyRefunds(
  { connection, session, deadline }: VerifiedWebhook,
  { payment, charge, refunds: found }: SettledCharge,
  deps: PaymentEventDeps,
): Promise<Payment> {
  const listRefunds = () =>
    session.listRefunds(charge).catch((error: unknown) => {
      throw lookUpFailed(error);
    });
  const refunds = found ?? (await listRefunds());
  const source = { connectionId: connection.id, session, deadline, charge: charge.reference };
  return applyRefundList(payment, refunds, source, deps);
}
