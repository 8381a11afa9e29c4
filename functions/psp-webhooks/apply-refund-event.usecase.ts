import { type PaymentEventDeps, settleCharge } from '#functions/psp-webhooks/apply-payment-event.usecase.ts';
import type { VerifiedWebhook } from '#functions/psp-webhooks/verify-webhook.ts';
import { chargeOf } from '#shared/domain/payments/capture.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { findReported } from '#shared/domain/payments/reported-refund.rules.ts';
import type { PspRefund, RefundEvent } from '#shared/ports/psp.port.ts';
import { applyReportedRefund, throwLookUpFailed } from '#shared/services/payments/apply-reported-refund.service.ts';
import { sendAutomaticRefunds } from '#shared/services/payments/refund-payment.service.ts';

/**
 * Looks up the refund at the PSP, if the PSP has a look-up. A refund proves that its charge was paid: where we do not
 * know that yet, the charge is looked up first.
 */
export async function applyRefundEvent(
  webhook: VerifiedWebhook,
  event: RefundEvent,
  deps: PaymentEventDeps,
): Promise<void> {
  const { reference, ourId, paymentReference } = event;
  const payment = await withPaidCharge(webhook, event, deps);
  const refund = event.reported ?? (await fetchRefund(webhook, event));
  const named = { ...refund, reference: refund.reference ?? reference, ourId: ourId ?? refund.ourId };
  const charge = chargeOf(payment, paymentReference)?.psp_reference ?? paymentReference;
  const applied = await applyReportedRefund(payment, named, sourceOf(webhook, charge), deps);
  await sendAutomaticRefunds(applied, webhook.deadline, deps);
}

const sourceOf = ({ connection, session, deadline }: VerifiedWebhook, charge: string | null) => ({
  connectionId: connection.id,
  session,
  deadline,
  charge,
});

/** A refund or a dispute proves that its charge was paid: where we do not know that yet, the charge is looked up. */
export async function withPaidCharge(
  webhook: VerifiedWebhook,
  event: Pick<RefundEvent, 'reference' | 'ourId' | 'paymentReference'>,
  deps: PaymentEventDeps,
): Promise<Payment> {
  const { payment } = webhook;
  const attempt = chargeOf(payment, event.paymentReference);
  const charge = attempt?.psp_reference ?? event.paymentReference;
  const isPaid = payment.attempts.some(({ status, wrong_amount }) => status === 'succeeded' || wrong_amount);
  const isKnown = findReported(payment, event) !== undefined;
  if (charge === null || isKnown || (attempt ? attempt.status === 'succeeded' : isPaid) || attempt?.wrong_amount)
    return payment;
  const charged = await settleCharge(webhook, { kind: 'payment', reference: charge }, deps);
  return charged?.payment ?? payment;
}

function fetchRefund(
  { session, payment }: VerifiedWebhook,
  { reference, paymentReference }: RefundEvent,
): Promise<PspRefund> {
  const charge = paymentReference ?? payment.psp_reference;
  return session.fetchRefund({ reference, paymentId: payment.id, charge }).catch(throwLookUpFailed);
}
