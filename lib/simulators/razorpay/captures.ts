import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { declineFor } from '#lib/simulators/razorpay/declines.ts';
import { invalidState } from '#lib/simulators/razorpay/errors.ts';
import { isPayment, type Payment, type StoredPayment } from '#lib/simulators/razorpay/objects.ts';
import { capture, changePayment } from '#lib/simulators/razorpay/outcomes.ts';
import { type ApiRequest, apiRoute, findObject, integerIn, textIn } from '#lib/simulators/razorpay/requests.ts';

/** The whole amount, once. A capture that the bank declines leaves the payment authorized. */
function capturePayment({ input, id, call }: ApiRequest, work: UnitOfWork): Payment {
  const payment = findObject(work, id, isPayment);
  if (payment.body.captured) throw invalidState('This payment has already been captured');
  if (payment.body.status !== 'authorized')
    throw invalidState('Only payments which have been authorized and not yet captured can be captured');
  if (integerIn(input, 'amount') !== payment.body.amount)
    throw invalidState('Capture amount must be equal to the amount authorized');
  if (textIn(input, 'currency') !== payment.body.currency)
    throw invalidState('Capture currency must be equal to the payment currency');
  const behaviour = call.scenario?.behaviour;
  if (behaviour?.kind === 'decline') {
    const { description, reason } = declineFor(behaviour.code);
    throw invalidState(description, reason);
  }
  if (!call.scenario) work.setWebhookMode(payment.notes.webhook);
  return capture(work, payment).body;
}

/** An authorization that was not captured becomes refunded, although no money was taken. No event says so. */
export function lapseAuthorization(work: UnitOfWork, payment: StoredPayment): void {
  if (payment.body.status !== 'authorized') return;
  work.recordRelease(payment.id);
  changePayment(work, payment, { status: 'refunded', refund_status: 'full', amount_refunded: payment.body.amount });
}

export const captureRoutes = [
  apiRoute('POST', '/v1/payments/{id}/capture', 'capture', {
    shape: { amount: 'integer', currency: 'text' },
    required: ['amount', 'currency'],
    run: capturePayment,
  }),
];
