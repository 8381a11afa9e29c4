import {
  type PaymentEventDeps,
  readAuthorization,
  settleCharge,
} from '#functions/psp-webhooks/apply-payment-event.usecase.ts';
import type { VerifiedWebhook } from '#functions/psp-webhooks/verify-webhook.ts';
import { recordCaptureFailure } from '#shared/domain/payments/capture.machine.ts';
import { capturesOf } from '#shared/domain/payments/capture.rules.ts';
import { isPaid } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { applyReportedCapture } from '#shared/domain/payments/reported-authorization.rules.ts';
import type { CaptureEvent } from '#shared/ports/capture.port.ts';
import { sendAutomaticRefunds } from '#shared/services/payments/refund-payment.service.ts';

/**
 * Applies what the PSP reports of a capture. Where the PSP has a look-up of the authorization, that counts, and not the
 * event.
 */
export async function applyCaptureEvent(
  webhook: VerifiedWebhook,
  event: CaptureEvent,
  deps: PaymentEventDeps,
): Promise<void> {
  const payment = webhook.payment.capture ? await withAuthorization(webhook, event, deps) : webhook.payment;
  const attempt = attemptOf(payment, event);
  if (!attempt) return;
  if (!payment.capture) return recordFailure(payment, event, deps);
  const { reported } = event;
  const settled = reported
    ? await deps.payments.change(payment, (p) => {
        const ourId = event.ourId ?? reported.ourId;
        const named = { ...reported, reference: reported.reference ?? event.reference, ourId };
        return applyReportedCapture(p, attempt.id, named as typeof reported, deps.clock.now());
      })
    : await readAuthorization(webhook, payment, attempt, deps);
  await sendAutomaticRefunds(settled, webhook.deadline, deps);
}

/** A capture proves that its charge was authorized: where we do not know that yet, the charge is looked up first. */
async function withAuthorization(
  webhook: VerifiedWebhook,
  event: CaptureEvent,
  deps: PaymentEventDeps,
): Promise<Payment> {
  const { payment } = webhook;
  const attempt = attemptOf(payment, event);
  if (event.paymentReference === null || (attempt && isPaid(attempt))) return payment;
  const charged = await settleCharge(webhook, { kind: 'payment', reference: event.paymentReference }, deps);
  return charged?.payment ?? payment;
}

/** The attempt of the charge, or of the capture that the event names. */
function attemptOf(payment: Payment, { paymentReference, reference, ourId }: CaptureEvent): Attempt | undefined {
  const capture = capturesOf(payment).find(
    ({ id, psp_reference }) => id === ourId || (psp_reference !== null && psp_reference === reference),
  );
  return payment.attempts.find(
    ({ id, psp_reference }) =>
      id === capture?.attempt_id || (psp_reference !== null && psp_reference === paymentReference),
  );
}

/** A charge that the PSP captures by itself, and has failed to: the money does not come. A person looks at it. */
async function recordFailure(payment: Payment, event: CaptureEvent, deps: PaymentEventDeps): Promise<void> {
  const { reported } = event;
  if (reported?.kind !== 'failed') return;
  const { decline, amount } = reported;
  await deps.payments.change(payment, (p) =>
    recordCaptureFailure(p, { reference: reported.reference ?? event.reference, decline, amount }, deps.clock.now()),
  );
}
