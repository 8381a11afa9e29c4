import { type Behaviour, isApproval } from '#lib/simulators/kit/behaviour.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { BASE_URL } from '#lib/simulators/kit/wire.ts';
import {
  changeCharge,
  chargeOutcome,
  HOLD_MS,
  latestCharge,
  methodOfIntent,
  newCharge,
  paymentMethodView,
} from '#lib/simulators/stripe/charges.ts';
import { keepMethod } from '#lib/simulators/stripe/customers.ts';
import { declineFor, type StripeDecline } from '#lib/simulators/stripe/declines.ts';
import { codeWithDocs, type StripeError } from '#lib/simulators/stripe/errors.ts';
import { announce } from '#lib/simulators/stripe/events.ts';
import { smallestStep, toIsoUnits } from '#lib/simulators/stripe/money.ts';
import { type IntentNotes, type PaymentIntent, type StoredIntent, seconds } from '#lib/simulators/stripe/objects.ts';

export function changeIntent(
  work: UnitOfWork,
  intent: StoredIntent,
  change: Partial<PaymentIntent>,
  notes: Partial<IntentNotes> = {},
): StoredIntent {
  const body = { ...intent.body, ...change };
  const due = body.status === 'requires_capture' ? (intent.due ?? work.now.getTime() + HOLD_MS) : null;
  return work.objects.put({ ...intent, due, body, notes: { ...intent.notes, ...notes } });
}

/** Takes the money. `amount` differs if a scenario wants a wrong amount. */
export function succeed(work: UnitOfWork, intent: StoredIntent, amount = intent.body.amount): StoredIntent {
  if (intent.body.capture_method === 'manual') return hold(work, intent, amount);
  const pending = latestCharge(work, intent);
  const charge =
    pending?.body.status === 'pending'
      ? changeCharge(work, pending, {
          amount,
          amount_captured: amount,
          captured: true,
          paid: true,
          status: 'succeeded',
          outcome: chargeOutcome(undefined),
        })
      : newCharge(work, intent, { method: methodOfIntent(intent), amount, status: 'succeeded', captured: true });
  const after = changeIntent(work, intent, {
    ...NO_LONGER_OPEN,
    amount,
    amount_capturable: 0,
    amount_received: amount,
    latest_charge: charge.id,
    status: 'succeeded',
  });
  const { currency } = charge.body;
  work.recordCharge({ id: charge.id, paymentId: intent.paymentId, amount: toIsoUnits(amount, currency), currency });
  keepMethod(work, after);
  announce(work, 'charge.succeeded', charge.body);
  announce(work, 'payment_intent.succeeded', after.body);
  return after;
}

const NO_LONGER_OPEN = {
  canceled_at: null,
  cancellation_reason: null,
  last_payment_error: null,
  next_action: null,
  processing: null,
} as const;

/** Holds money for a later capture. A partial approval holds less than the intent's amount. */
function hold(work: UnitOfWork, intent: StoredIntent, held: number): StoredIntent {
  const amount = Math.max(intent.body.amount, held);
  const charge = newCharge(work, intent, {
    method: methodOfIntent(intent),
    amount: held,
    status: 'succeeded',
    captured: false,
  });
  const after = changeIntent(work, intent, {
    ...NO_LONGER_OPEN,
    amount,
    amount_capturable: held,
    amount_received: 0,
    latest_charge: charge.id,
    status: 'requires_capture',
  });
  const { currency } = charge.body;
  work.recordHold({ id: intent.id, paymentId: intent.paymentId, amount: toIsoUnits(held, currency), currency });
  keepMethod(work, after);
  announce(work, 'charge.succeeded', charge.body);
  announce(work, 'payment_intent.amount_capturable_updated', after.body);
  return after;
}

/** The result will be known in days. */
function markProcessing(work: UnitOfWork, intent: StoredIntent): StoredIntent {
  const charge = newCharge(work, intent, {
    method: methodOfIntent(intent),
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

/** Sends the customer to the bank's page. Without a return URL the merchant's page must open it. */
function requireAuthentication(work: UnitOfWork, intent: StoredIntent): StoredIntent {
  const { returnUrl, method } = intent.notes;
  const url = `${BASE_URL}/stripe/3ds/${intent.id}`;
  const next_action =
    returnUrl === null || method?.byLibrary
      ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } }
      : { redirect_to_url: { return_url: returnUrl, url }, type: 'redirect_to_url' };
  const after = changeIntent(work, intent, { last_payment_error: null, next_action, status: 'requires_action' });
  announce(work, 'payment_intent.requires_action', after.body);
  return after;
}

/** Fails an attempt. The intent can be used again. */
export function fail(
  work: UnitOfWork,
  intent: StoredIntent,
  decline: StripeDecline,
): { readonly intent: StoredIntent; readonly error: StripeError } {
  const pending = latestCharge(work, intent);
  const { code, message } = decline;
  const charge =
    pending?.body.status === 'pending'
      ? changeCharge(work, pending, {
          status: 'failed',
          failure_code: code,
          failure_message: message,
          outcome: chargeOutcome(decline),
        })
      : newCharge(work, intent, {
          method: methodOfIntent(intent),
          amount: intent.body.amount,
          status: 'failed',
          captured: false,
          decline,
        });
  const error: StripeError = {
    ...codeWithDocs(code),
    ...decline,
    charge: charge.id,
    payment_method: paymentMethodView(intent),
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

/** The customer failed the authentication: there is no charge. */
export function failAuthentication(work: UnitOfWork, intent: StoredIntent): StoredIntent {
  const code = 'payment_intent_authentication_failure';
  const message =
    'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a ' +
    'new PaymentMethod to attempt to fulfill this PaymentIntent again.';
  const error: StripeError = {
    ...codeWithDocs(code),
    message,
    payment_method: paymentMethodView(intent),
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

/** Cancels the intent and releases held money. Of a partial capture, only the rest is released. */
export function cancel(work: UnitOfWork, intent: StoredIntent, reason: string | null): StoredIntent {
  const isHeld = intent.body.status === 'requires_capture';
  const after = changeIntent(work, intent, {
    amount_capturable: 0,
    canceled_at: seconds(work.now),
    cancellation_reason: reason,
    next_action: null,
    status: 'canceled',
  });
  if (isHeld) work.recordRelease(intent.id);
  announce(work, 'payment_intent.canceled', after.body);
  return after;
}

type Attempt = { readonly intent: StoredIntent; readonly error?: StripeError };

/** `absent`: off-session, the customer cannot authenticate. `strict`: the merchant wants a decline, no next action. */
export type CustomerPresence = 'present' | 'absent' | 'strict';

type PlannedOutcome =
  | { readonly kind: 'succeed' | 'process' | 'authenticate' }
  | { readonly kind: 'decline'; readonly decline: StripeDecline };

const AUTHENTICATION_NOT_HANDLED: StripeDecline = {
  ...declineFor('authentication_required'),
  decline_code: 'authentication_not_handled',
};

/** A required authentication is a decline unless the customer is present. */
const authenticationOutcome = (presence: CustomerPresence): PlannedOutcome => {
  if (presence === 'present') return { kind: 'authenticate' };
  return {
    kind: 'decline',
    decline: presence === 'absent' ? declineFor('authentication_required') : AUTHENTICATION_NOT_HANDLED,
  };
};

/** The outcome that a scenario wants, if it wants one. */
function scenarioOutcome(behaviour: Behaviour | null, presence: CustomerPresence): PlannedOutcome | undefined {
  if (isApproval(behaviour)) return { kind: 'succeed' };
  if (behaviour?.kind === 'decline') return { kind: 'decline', decline: declineFor(behaviour.code) };
  if (behaviour?.kind === 'requires_action') return authenticationOutcome(presence);
  if (behaviour?.kind === 'pending') return { kind: 'process' };
  return undefined;
}

function methodOutcome(
  { notes: { method } }: StoredIntent,
  presence: CustomerPresence,
  authenticated: boolean,
): PlannedOutcome {
  const needsAuthentication = method?.authenticate === 'on_session' ? presence !== 'absent' : method?.authenticate;
  if (needsAuthentication && !authenticated) return authenticationOutcome(presence);
  if (method?.decline) return { kind: 'decline', decline: method.decline };
  return { kind: method?.pending ? 'process' : 'succeed' };
}

/** What the bank approves. */
function approvedUnits(behaviour: Behaviour | null, { body: { amount, currency, capture_method } }: StoredIntent) {
  const step = smallestStep(currency);
  if (behaviour?.kind === 'wrong_amount') return amount + step;
  if (behaviour?.kind !== 'partial_approval' || capture_method !== 'manual') return amount;
  return Math.max(step, Math.floor(amount / 2 / step) * step);
}

/** One attempt to charge. A scenario overrides the behaviour of the payment method. A decline is stored too. */
export function attemptPayment(
  work: UnitOfWork,
  intent: StoredIntent,
  {
    behaviour,
    presence,
    authenticated = false,
  }: { readonly behaviour: Behaviour | null; readonly presence: CustomerPresence; readonly authenticated?: boolean },
): Attempt {
  const outcome = scenarioOutcome(behaviour, presence) ?? methodOutcome(intent, presence, authenticated);
  if (outcome.kind === 'decline') return fail(work, intent, outcome.decline);
  if (outcome.kind === 'authenticate') return { intent: requireAuthentication(work, intent) };
  if (outcome.kind === 'process') return { intent: markProcessing(work, intent) };
  return { intent: succeed(work, intent, approvedUnits(behaviour, intent)) };
}
