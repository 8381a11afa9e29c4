import { applyListedDisputes } from '#functions/psp-webhooks/apply-dispute-event.usecase.ts';
import { completesReport } from '#functions/psp-webhooks/resolve-webhook-target.ts';
import type { VerifiedWebhook } from '#functions/psp-webhooks/verify-webhook.ts';
import type { FoundDispute } from '#shared/domain/disputes/dispute.model.ts';
import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { adoptCharge, findReportedAttempt } from '#shared/domain/payments/callback.rules.ts';
import { chargeOf, withEnd } from '#shared/domain/payments/capture.rules.ts';
import { isOpen, isPaid, touched } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { applyAuthorization } from '#shared/domain/payments/reported-authorization.rules.ts';
import type { AttemptConnection, Verdict } from '#shared/domain/payments/verdict.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import {
  type ChargeRef,
  type ChargeWithRefunds,
  type PaymentEvent,
  type PspOutcome,
  type PspRefund,
  PspRefused,
} from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';
import {
  applyRefundList,
  lookUpFailed,
  throwLookUpFailed,
} from '#shared/services/payments/apply-reported-refund.service.ts';
import { classifyLookup, verdictOf } from '#shared/services/payments/classify-outcome.service.ts';
import { chargeRef } from '#shared/services/payments/psp-session.service.ts';
import { sendAutomaticRefunds } from '#shared/services/payments/refund-payment.service.ts';
import { type SettleDeps, settlePayment } from '#shared/services/payments/settle-payment.service.ts';

type Needs = SettleDeps & Pick<Deps, 'disputes' | 'psp' | 'log' | 'connections'>;

export type PaymentEventDeps = Needs;

/** What was refunded at the PSP is known before the rest of an unwanted charge is sent back. */
export async function applyPaymentEvent(
  webhook: VerifiedWebhook,
  event: PaymentEvent,
  deps: PaymentEventDeps,
): Promise<void> {
  const charged = await settleCharge(webhook, event, deps);
  if (!charged) return;
  const current = event.includesRefunds ? await applyListed(webhook, charged, deps) : charged.payment;
  await sendAutomaticRefunds(current, webhook.deadline, deps);
}

/** `listed`: undefined unless the look-up of the charge has read its refunds too. */
type SettledCharge = {
  readonly payment: Payment;
  readonly charge: ChargeRef;
  readonly listed: Listed | undefined;
};

/** What the PSP has made of a charge. `disputes`: only where the look-up of a charge shows them. */
type Listed = { readonly refunds: readonly PspRefund[]; readonly disputes: readonly FoundDispute[] };

/**
 * A signature proves the sender, not the content. Where the PSP has a look-up, the charge is fetched before anything
 * changes. Undefined for a charge that is not this payment's.
 */
export async function settleCharge(
  webhook: VerifiedWebhook,
  event: PaymentEvent,
  deps: PaymentEventDeps,
): Promise<SettledCharge | undefined> {
  const { payment: stored, attemptConnection } = webhook;
  const payment = stored.save && event.reported?.saved ? await withReportedMethod(stored, event, deps) : stored;
  const attemptByReference = chargeOf(payment, event.reference);
  const attempt =
    attemptByReference ??
    payment.attempts.find((a) => a.id === event.ourId) ??
    findReportedAttempt(payment, attemptConnection, []);
  if (attemptByReference && wasAuthorized(payment, attemptByReference))
    return settleAuthorization({ ...webhook, payment }, event, attemptByReference, deps);
  const found = saysNothingNew(attemptByReference, event) ? {} : await verdictFor(webhook, event, attempt, deps);
  if (found === 'foreign') return undefined;
  const { verdict, listed } = found;
  const page = verdict && isCharge(verdict) ? await findPage(webhook, verdict.reference, attempt, deps) : null;
  const settled = verdict
    ? await settlePayment(
        payment,
        (p) => applyVerdict(p, attemptConnection, { ...event, page }, verdict, deps.clock.now()),
        deps,
        verdict.saved,
      )
    : payment;
  const known = await withCaptures(webhook, settled, verdict, deps);
  return { payment: known, charge: refOf(known, attempt, event.reference), listed };
}

/**
 * A provider may report the token of the method that it has kept by an event of its own, after the charge or before it is
 * known. Loaded when it is needed: few payments keep one.
 */
async function withReportedMethod(
  payment: Payment,
  { reference, ourId, reported }: PaymentEvent,
  deps: PaymentEventDeps,
): Promise<Payment> {
  const attempt = chargeOf(payment, reference) ?? payment.attempts.find(({ id }) => id === ourId);
  const isBefore = attempt !== undefined && isOpen(attempt) && reported?.kind === 'waiting';
  if (!attempt || !(isPaid(attempt) || isBefore)) return payment;
  const { keepSavedMethod } = await import('#shared/services/payment-methods/keep-saved-method.service.ts');
  const charged = { ...payment, attempts: [attempt], psp_reference: attempt.psp_reference };
  const kept = await keepSavedMethod(payment, charged, reported?.saved, deps);
  if (kept === undefined || !isPaid(attempt) || kept === payment.payment_method_id) return payment;
  const at = deps.clock.now();
  return deps.payments.change(payment, (p) =>
    p.payment_method_id === kept ? undefined : touched({ ...p, payment_method_id: kept }, at),
  );
}

/** The charge is paid, and the event reports nothing more of it. */
const saysNothingNew = (attempt: Attempt | undefined, event: PaymentEvent): boolean =>
  attempt?.status === 'succeeded' && !completesReport(attempt, event);

/** Also one that is released by now: the look-up tells whether somebody has captured it before. */
const wasAuthorized = ({ capture }: Payment, attempt: Attempt): boolean =>
  capture !== undefined && (isPaid(attempt) || attempt.release?.done === true);

type ChargeVerdict = Extract<Verdict, { kind: 'succeeded' | 'authorized' }>;

const isCharge = (verdict: Verdict): verdict is ChargeVerdict =>
  verdict.kind === 'succeeded' || verdict.kind === 'authorized';

/** A charge whose authorization we learn of by this event may have been captured already. */
async function withCaptures(
  webhook: VerifiedWebhook,
  payment: Payment,
  verdict: Verdict | undefined,
  deps: PaymentEventDeps,
): Promise<Payment> {
  if (!payment.capture || !verdict || !isCharge(verdict)) return payment;
  const attempt = payment.attempts.find(
    (a) => a.psp_reference === verdict.reference && (a.status === 'authorized' || a.release?.done),
  );
  return attempt ? readAuthorization(webhook, payment, attempt, deps) : payment;
}

/** The event is about a charge that is authorized already: it was captured or released, or nothing changes. */
async function settleAuthorization(
  webhook: VerifiedWebhook,
  event: PaymentEvent,
  attempt: Attempt,
  deps: PaymentEventDeps,
): Promise<SettledCharge> {
  const { payment } = webhook;
  const settled = event.reported
    ? await deps.payments.change(payment, (p) =>
        settle(p, attempt.id, verdictOf(event.reported as PspOutcome), deps.clock.now()),
      )
    : await readAuthorization(webhook, payment, attempt, deps);
  return { payment: settled, charge: chargeRef(settled, attempt), listed: undefined };
}

/** Brings the payment to what the PSP says of the authorization, where it has such a look-up. */
export async function readAuthorization(
  { session }: VerifiedWebhook,
  payment: Payment,
  attempt: Attempt,
  { payments, clock }: Pick<Deps, 'payments' | 'clock'>,
): Promise<Payment> {
  const charge = { ...chargeRef(payment, attempt), mayCapture: false };
  const report = await session.fetchAuthorization(charge).catch(throwLookUpFailed);
  return report ? payments.change(payment, (p) => applyAuthorization(p, attempt.id, report, clock.now())) : payment;
}

type Found = { readonly verdict?: Verdict; readonly listed?: Listed | undefined };

/** `foreign`: an unsigned callback may name a charge that is not this payment's. */
async function verdictFor(
  { payment, session }: VerifiedWebhook,
  event: PaymentEvent,
  attempt: Attempt | undefined,
  { log, clock }: PaymentEventDeps,
): Promise<Found | 'foreign'> {
  if (event.reported)
    return { verdict: verdictOf(withEnd(event.reported, session.adapter.manualCapture, clock.now())) };
  let isForeign = false;
  let listed: Found['listed'];
  const lookUp = async (reference: string) => {
    const charge = refOf(payment, attempt, reference);
    if (!event.includesRefunds || reference !== event.reference) return session.fetch(charge);
    const found = await session.fetchWithRefunds(charge);
    listed = listedIn(found);
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
  const isSecondCharge = attempt !== undefined && isPaid(attempt) && !isForeign;
  const verdict = isSecondCharge ? first : await verdictOfPage(fetch, first, event.reference, attempt, log);
  if (verdict.kind === 'unknown') throw lookUpFailed();
  return { verdict, listed };
}

const refOf = (payment: Payment, attempt: Attempt | undefined, reference: string): ChargeRef =>
  attempt
    ? chargeRef(payment, attempt, reference)
    : { reference, paymentId: payment.id, attemptId: '', mayCapture: false, ...(payment.capture && { manual: true }) };

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
  if (isCharge(first) || page == null || page === reference) return first;
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
    (a) => a.id !== expected.id && a.connection_id === connection.id && !isPaid(a),
  );
  for (const other of others) {
    const { psp_reference: page } = other;
    if (page === null) continue;
    const fetchPage = () => session.fetch({ ...chargeRef(payment, other), mayCapture: false });
    const verdict = await classifyLookup(fetchPage, log);
    // Not every provider has a look-up of pages. Without one the charge counts for the expected attempt.
    if (isCharge(verdict) && verdict.reference === charge) return page;
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
  if (!isCharge(verdict)) return undefined;
  const adopted = adoptCharge(payment, attemptConnection, verdict.reference, at);
  return settle(adopted.payment, adopted.attemptId, verdict, at);
}

/** Our own API call is still running. It will get the same result, and only that call can fail over. */
const mayOurCallFailOver = ({ alternatives }: Payment, attempt: Attempt, verdict: Verdict): boolean =>
  attempt.phase === 'calling' && verdict.kind === 'failed' && verdict.allowsFailover && alternatives.length > 0;

const listedIn = ({ refunds, disputes = [] }: ChargeWithRefunds): Listed | undefined =>
  refunds && { refunds, disputes };

async function applyListed(
  webhook: VerifiedWebhook,
  { payment, charge, listed: found }: SettledCharge,
  deps: PaymentEventDeps,
): Promise<Payment> {
  const { connection, session, deadline } = webhook;
  const { refunds, disputes } = found ?? (await readListed(session, charge).catch(throwLookUpFailed));
  const source = { connectionId: connection.id, session, deadline, charge: charge.reference };
  await applyListedDisputes(webhook, disputes, deps);
  return applyRefundList(payment, refunds, source, deps);
}

/** With the disputes of the charge, where the event stands for them too. */
async function readListed(session: PspSession, charge: ChargeRef): Promise<Listed> {
  const found = session.adapter.disputes?.readWithCharge && listedIn(await session.fetchWithRefunds(charge));
  return found || { refunds: await session.listRefunds(charge), disputes: [] };
}
