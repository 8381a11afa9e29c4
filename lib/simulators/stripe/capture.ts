import type { Work } from '#lib/simulators/frame/provider.port.ts';
import type { Ask } from '#lib/simulators/stripe/ask.ts';
import { changeCharge, chargeOf } from '#lib/simulators/stripe/charges.ts';
import { impossible, invalid, unexpectedState } from '#lib/simulators/stripe/errors.ts';
import { announce } from '#lib/simulators/stripe/events.ts';
import { findIntent } from '#lib/simulators/stripe/find.ts';
import { integerAt } from '#lib/simulators/stripe/form.ts';
import { newStripeId, type PaymentIntent } from '#lib/simulators/stripe/objects.ts';
import { changeIntent } from '#lib/simulators/stripe/outcomes.ts';

/** Takes what was held, or a part of it; the rest is released. */
export function capture({ input, id }: Ask, work: Work): PaymentIntent {
  const intent = findIntent(work, id);
  const held = intent.body.amount_capturable;
  const charge = chargeOf(work, intent);
  if (intent.body.status !== 'requires_capture' || !charge) {
    const message = `This PaymentIntent could not be captured because it has a status of ${intent.body.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.`;
    throw unexpectedState(message, intent.body);
  }
  const amount = integerAt(input, 'amount_to_capture') ?? held;
  if (amount < 1)
    throw invalid('This value must be greater than or equal to 1.', {
      param: 'amount_to_capture',
      code: 'parameter_invalid_integer',
    });
  if (amount > held) {
    throw impossible(
      'The provided capture amount is greater than the remaining amount that can be captured on this PaymentIntent.',
      {
        code: 'amount_too_large',
        param: 'amount_to_capture',
      },
    );
  }
  const captured = changeCharge(work, charge, {
    amount_captured: amount,
    amount_refunded: held - amount,
    captured: true,
    balance_transaction: newStripeId('txn'),
  });
  const after = changeIntent(work, intent, { amount_capturable: 0, amount_received: amount, status: 'succeeded' });
  work.took({ id: charge.id, paymentId: intent.paymentId, amount, currency: intent.body.currency });
  announce(work, 'charge.captured', captured.body);
  announce(work, 'payment_intent.succeeded', after.body);
  return after.body;
}
