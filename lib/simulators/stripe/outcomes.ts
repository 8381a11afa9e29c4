import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { HERE } from '#lib/simulators/frame/wire.ts';
import { changeCharge, chargeOf, newCharge, outcomeOf } from '#lib/simulators/stripe/charges.ts';
import type { StripeDecline } from '#lib/simulators/stripe/declines.ts';
import { coded, type StripeError } from '#lib/simulators/stripe/errors.ts';
import { announce } from '#lib/simulators/stripe/events.ts';
import { type IntentNotes, type PaymentIntent, type StoredIntent, seconds } from '#lib/simulators/stripe/objects.ts';
import { methodOf, shownMethod } from '#lib/simulators/stripe/shown-method.ts';

export function changeIntent(
  work: Work,
  intent: StoredIntent,
  change: Partial<PaymentIntent>,
  notes: Partial<IntentNotes> = {},
): StoredIntent {
  return work.objects.put({ ...intent, body: { ...intent.body, ...change }, notes: { ...intent.notes, ...notes } });
}

/**
 * The money is taken, or only held where the capture is to be asked for. `amount` differs from the intent's where a
 * scenario says so.
 */
export function succeed(work: Work, intent: StoredIntent, amount = intent.body.amount): StoredIntent {
  const captured = intent.body.capture_method !== 'manual';
  const waiting = chargeOf(work, intent);
  const charge =
    waiting?.body.status === 'pending'
      ? changeCharge(work, waiting, {
          amount,
          amount_captured: amount,
          captured: true,
          paid: true,
          status: 'succeeded',
          outcome: outcomeOf(undefined),
        })
      : newCharge(work, intent, { method: methodOf(intent), amount, status: 'succeeded', captured });
  const after = changeIntent(work, intent, {
    amount,
    amount_capturable: captured ? 0 : amount,
    amount_received: captured ? amount : 0,
    canceled_at: null,
    cancellation_reason: null,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    processing: null,
    status: captured ? 'succeeded' : 'requires_capture',
  });
  if (captured) work.took({ id: charge.id, paymentId: intent.paymentId, amount, currency: charge.body.currency });
  announce(work, 'charge.succeeded', charge.body);
  announce(work, captured ? 'payment_intent.succeeded' : 'payment_intent.amount_capturable_updated', after.body);
  return after;
}

/** Stripe has taken the order and will know in days. */
export function process(work: Work, intent: StoredIntent): StoredIntent {
  const charge = newCharge(work, intent, {
    method: methodOf(intent),
    amount: intent.body.amount,
    status: 'pending',
    captured: false,
  });
  const after = changeIntent(work, intent, {
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    status: 'processing',
  });
  announce(work, 'payment_intent.processing', after.body);
  return after;
}

/** The customer is sent to the bank's page; without a page to come back to, the merchant's own page must do it. */
export function askCustomer(work: Work, intent: StoredIntent): StoredIntent {
  const { returnUrl, method } = intent.notes;
  const url = `${HERE}/stripe/3ds/${intent.id}`;
  const next_action =
    returnUrl === null || method?.byLibrary
      ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } }
      : { redirect_to_url: { return_url: returnUrl, url }, type: 'redirect_to_url' };
  const after = changeIntent(work, intent, { last_payment_error: null, next_action, status: 'requires_action' });
  announce(work, 'payment_intent.requires_action', after.body);
  return after;
}

/** A try that failed. The intent itself can be used again. */
export function fail(
  work: Work,
  intent: StoredIntent,
  decline: StripeDecline,
): { readonly intent: StoredIntent; readonly error: StripeError } {
  const waiting = chargeOf(work, intent);
  const { code, message } = decline;
  const charge =
    waiting?.body.status === 'pending'
      ? changeCharge(work, waiting, {
          status: 'failed',
          failure_code: code,
          failure_message: message,
          outcome: outcomeOf(decline),
        })
      : newCharge(work, intent, {
          method: methodOf(intent),
          amount: intent.body.amount,
          status: 'failed',
          captured: false,
          decline,
        });
  const error: StripeError = {
    ...coded(code),
    ...decline,
    charge: charge.id,
    payment_method: shownMethod(intent),
    type: 'card_error',
  };
  const after = changeIntent(work, intent, {
    last_payment_error: error,
    latest_charge: charge.id,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  });
  announce(work, 'charge.failed', charge.body);
  announce(work, 'payment_intent.payment_failed', after.body);
  return { intent: after, error };
}

/** The customer failed the authentication: no charge was tried. */
export function failAuthentication(work: Work, intent: StoredIntent): StoredIntent {
  const code = 'payment_intent_authentication_failure';
  const message =
    'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.';
  const error: StripeError = {
    ...coded(code),
    message,
    payment_method: shownMethod(intent),
    type: 'invalid_request_error',
  };
  const after = changeIntent(work, intent, {
    last_payment_error: error,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  });
  announce(work, 'payment_intent.payment_failed', after.body);
  return after;
}

/** Releases what was held, if anything. */
export function cancel(work: Work, intent: StoredIntent, reason: string | null): StoredIntent {
  const charge = chargeOf(work, intent);
  const after = changeIntent(work, intent, {
    amount_capturable: 0,
    canceled_at: seconds(work.now),
    cancellation_reason: reason,
    next_action: null,
    status: 'canceled',
  });
  if (charge && intent.body.status === 'requires_capture') {
    const released = changeCharge(work, charge, { amount_refunded: charge.body.amount, refunded: true });
    announce(work, 'charge.refunded', released.body);
  }
  announce(work, 'payment_intent.canceled', after.body);
  return after;
}
