import { applySeenRefund } from '#functions/psp-webhooks/apply-seen-refund.usecase.ts';
import { couldNotAsk } from '#functions/psp-webhooks/could-not-ask.ts';
import type { VerifiedCallback } from '#functions/psp-webhooks/verified-callback.ts';
import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { adoptCharge, attemptFor } from '#shared/domain/payments/callback.rules.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { Verdict } from '#shared/domain/payments/verdict.model.ts';
import type { SentThrough } from '#shared/domain/routing/connection-credentials.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type ChargeRef, type PaymentNews, type PspOutcome, PspRefused } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';
import { classifyLookup, verdictOf } from '#shared/services/payments/classify-outcome.service.ts';
import { chargeRef } from '#shared/services/payments/open-session.service.ts';
import { sendOwedRefunds } from '#shared/services/payments/send-refund.service.ts';
import { settlePayment } from '#shared/services/payments/settle-payment.service.ts';

/**
 * A signature proves the sender, not the content: where the PSP has a look-up, the charge is fetched before anything
 * changes.
 */
export async function applyPaymentCallback(callback: VerifiedCallback, news: PaymentNews, deps: Deps): Promise<void> {
  const { payment, through, session, deadline } = callback;
  const known = payment.attempts.find((a) => a.psp_reference === news.reference);
  const attempt = known ?? payment.attempts.find((a) => a.id === news.ours) ?? attemptFor(payment, through, []);
  const verdict = known?.status === 'succeeded' ? undefined : await hear(callback, news, attempt, deps);
  if (verdict === 'stranger') return;
  const page = verdict?.kind === 'succeeded' ? await pageOf(callback, verdict.reference, attempt, deps) : null;
  const settled = verdict
    ? await settlePayment(payment, (p) => applied(p, through, { ...news, page }, verdict, deps.clock.now()), deps)
    : payment;
  await sendOwedRefunds(settled, deadline, deps);
  if (news.refundsToo)
    await applyRefunds({ ...callback, payment: settled }, refOf(settled, attempt, news.reference), session, deps);
}

/** `stranger`: an unsigned callback may name a charge that is not this payment's. */
async function hear(
  { payment, session }: VerifiedCallback,
  news: PaymentNews,
  attempt: Attempt | undefined,
  deps: Deps,
): Promise<Verdict | 'stranger'> {
  if (news.told) return verdictOf(news.told);
  let isStranger = false;
  const fetch = (reference: string) =>
    session.fetch(refOf(payment, attempt, reference)).catch((error: unknown) => {
      isStranger = error instanceof PspRefused && error.kind === 'not_found';
      throw error;
    });
  const { verdict: first } = await classifyLookup(() => fetch(news.reference), deps.log);
  if (isStranger && session.adapter.unsignedCallbacks) return 'stranger';
  // For a paid attempt only a second charge is news; if that can't be looked up now, the callback must come again, or
  // its money would be forgotten.
  const isSecond = attempt?.status === 'succeeded' && !isStranger;
  const verdict = isSecond ? first : await lookAtPage(fetch, first, news.reference, attempt, deps);
  if (verdict.kind === 'unknown') throw couldNotAsk();
  return verdict;
}

const refOf = (payment: Payment, attempt: Attempt | undefined, reference: string): ChargeRef =>
  attempt ? chargeRef(payment, attempt, reference) : { reference, paymentId: payment.id, attemptId: '', wanted: false };

/** A declined try on a hosted page has its own reference, but the page may go on: the page's status counts. */
async function lookAtPage(
  fetch: (reference: string) => Promise<PspOutcome>,
  first: Verdict,
  reference: string,
  attempt: Attempt | undefined,
  { log }: Deps,
): Promise<Verdict> {
  const page = attempt?.psp_reference;
  if (first.kind === 'succeeded' || page == null || page === reference) return first;
  return (await classifyLookup(() => fetch(page), log)).verdict;
}

/**
 * A charge may have a reference of its own. Where an earlier attempt's page took it, only that page can tell; the
 * attempt that seems meant may have none.
 */
async function pageOf(
  { payment, connection, session }: VerifiedCallback,
  charge: string,
  meant: Attempt | undefined,
  { log }: Deps,
): Promise<string | null> {
  if (!meant || payment.attempts.some((a) => a.psp_reference === charge)) return null;
  const others = payment.attempts.filter(
    (a) => a.id !== meant.id && a.connection_id === connection.id && a.status !== 'succeeded',
  );
  for (const other of others) {
    const { psp_reference: page } = other;
    if (page === null) continue;
    const { verdict } = await classifyLookup(() => session.fetch({ ...chargeRef(payment, other), wanted: false }), log);
    // Not every provider has a look-up for pages: then the charge is assigned to the attempt that seems meant.
    if (verdict.kind === 'succeeded' && verdict.reference === charge) return page;
  }
  return null;
}

type Paged = PaymentNews & { readonly page: string | null };

function applied(
  payment: Payment,
  through: SentThrough,
  { reference, ours, page }: Paged,
  verdict: Verdict,
  at: Date,
): Payment | undefined {
  const attempt = attemptFor(payment, through, [
    page ?? reference,
    ours,
    'reference' in verdict ? verdict.reference : null,
  ]);
  if (attempt) return isForOurCall(payment, attempt, verdict) ? undefined : settle(payment, attempt.id, verdict, at);
  if (verdict.kind !== 'succeeded') return undefined;
  const adopted = adoptCharge(payment, through, verdict.reference, at);
  return settle(adopted.payment, adopted.attemptId, verdict, at);
}

/** Our own call is still running. It will get the same answer, and only it can fail over. */
const isForOurCall = ({ alternatives }: Payment, attempt: Attempt, verdict: Verdict): boolean =>
  attempt.phase === 'calling' && verdict.kind === 'failed' && verdict.elsewhere && alternatives.length > 0;

async function applyRefunds(
  callback: VerifiedCallback,
  charge: ChargeRef,
  session: PspSession,
  deps: Deps,
): Promise<void> {
  const refunds = await session.listRefunds(charge).catch((error: unknown) => {
    throw couldNotAsk(error);
  });
  let payment = callback.payment;
  for (const seen of refunds)
    payment = await applySeenRefund({ ...callback, payment }, seen, charge.reference, 'listed', deps);
}
