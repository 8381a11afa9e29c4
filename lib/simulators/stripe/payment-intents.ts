import { following } from '#lib/simulators/frame/following.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { type Ask, api } from '#lib/simulators/stripe/ask.ts';
import { attempt } from '#lib/simulators/stripe/attempt.ts';
import { capture } from '#lib/simulators/stripe/capture.ts';
import { cardDeclined, impossible, invalid, unexpectedState } from '#lib/simulators/stripe/errors.ts';
import { findIntent } from '#lib/simulators/stripe/find.ts';
import { flagAt, integerAt, textAt } from '#lib/simulators/stripe/form.ts';
import { checkMoney } from '#lib/simulators/stripe/money.ts';
import { newIntent } from '#lib/simulators/stripe/new-intent.ts';
import { newStripeId, type PaymentIntent, type StoredIntent } from '#lib/simulators/stripe/objects.ts';
import { cancel } from '#lib/simulators/stripe/outcomes.ts';
import { automaticOf, checkReturnUrl, methodGiven, presenceOf } from '#lib/simulators/stripe/paying-with.ts';
import { searchIntents } from '#lib/simulators/stripe/search.ts';
import {
  CANCEL_INTENT,
  CAPTURE_INTENT,
  CONFIRM_INTENT,
  CREATE_INTENT,
  EXPAND_ONLY,
} from '#lib/simulators/stripe/shapes.ts';

const NO_METHOD =
  "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.";

function create({ input, call, livemode }: Ask, work: Work): PaymentIntent {
  const amount = integerAt(input, 'amount') ?? 0;
  const currency = (textAt(input, 'currency') ?? '').toLowerCase();
  checkMoney(amount, currency);
  const method = methodGiven(input);
  const confirm = flagAt(input, 'confirm');
  if (confirm) {
    if (!method) throw impossible(NO_METHOD, { code: 'payment_intent_unexpected_state' });
    checkReturnUrl(input, automaticOf(input));
  } else if (textAt(input, 'return_url') !== null || textAt(input, 'off_session') !== null) {
    throw invalid('The parameters `return_url` and `off_session` can only be used with `confirm` set to `true`.', {
      param: 'confirm',
    });
  }
  const notes = { ...following(call.script), returnUrl: textAt(input, 'return_url'), method };
  const intent = newIntent(work, input, { amount, currency, livemode, notes });
  return confirm ? pay(work, intent, input) : work.objects.put(intent).body;
}

/** Tries to charge, by what a scenario left for this try. */
function pay(work: Work, intent: StoredIntent, input: Ask['input']): PaymentIntent {
  const ready = { ...intent, notes: { ...intent.notes, behaviour: null } };
  const { intent: after, error } = attempt(work, ready, {
    behaviour: intent.notes.behaviour,
    presence: presenceOf(input),
  });
  if (error) throw cardDeclined(error, after.body);
  return after.body;
}

function confirm({ input, id, call }: Ask, work: Work): PaymentIntent {
  const intent = findIntent(work, id);
  const { status } = intent.body;
  if (status === 'succeeded' || status === 'requires_capture') {
    throw unexpectedState(
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
      intent.body,
    );
  }
  if (status === 'canceled' || status === 'processing') {
    throw unexpectedState(`You cannot confirm this PaymentIntent because it has a status of ${status}.`, intent.body);
  }
  const given = methodGiven(input);
  if (!given && intent.body.payment_method === null) throw unexpectedState(NO_METHOD, intent.body);
  const kept = intent.notes.returnUrl !== null || intent.parent !== null;
  if (!kept) checkReturnUrl(input, intent.body.automatic_payment_methods);
  const change = {
    ...(given && { payment_method: newStripeId('pm') }),
    ...(textAt(input, 'capture_method') && { capture_method: textAt(input, 'capture_method') ?? '' }),
  };
  const notes = {
    ...(call.script ? following(call.script) : {}),
    ...(given && { method: given }),
    returnUrl: textAt(input, 'return_url') ?? intent.notes.returnUrl,
  };
  return pay(work, { ...intent, body: { ...intent.body, ...change }, notes: { ...intent.notes, ...notes } }, input);
}

function cancelIntent({ input, id }: Ask, work: Work): PaymentIntent {
  const intent = findIntent(work, id);
  const { status } = intent.body;
  if (status === 'succeeded' || status === 'canceled') {
    const message = `You cannot cancel this PaymentIntent because it has a status of ${status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`;
    throw unexpectedState(message, intent.body);
  }
  if (intent.parent !== null) {
    throw impossible(
      'You cannot cancel this PaymentIntent because it was created by a Checkout Session. Expire the Checkout Session instead.',
    );
  }
  return cancel(work, intent, textAt(input, 'cancellation_reason')).body;
}

export const paymentIntentRoutes = [
  api('POST', '/v1/payment_intents', 'create', {
    shows: 'payment_intent',
    shape: CREATE_INTENT,
    required: ['amount', 'currency'],
    takesTypes: true,
    run: create,
  }),
  api('GET', '/v1/payment_intents/search', 'find', {
    shows: 'list:payment_intent',
    shape: { expand: 'texts', limit: 'integer', page: 'text', query: 'text' },
    required: ['query'],
    run: searchIntents,
  }),
  api('GET', '/v1/payment_intents/{id}', 'fetch', {
    shows: 'payment_intent',
    shape: { ...EXPAND_ONLY, client_secret: 'text' },
    run: ({ id }, work) => findIntent(work, id).body,
  }),
  api('POST', '/v1/payment_intents/{id}/confirm', 'confirm', {
    shows: 'payment_intent',
    shape: CONFIRM_INTENT,
    takesTypes: true,
    run: confirm,
  }),
  api('POST', '/v1/payment_intents/{id}/capture', 'capture', {
    shows: 'payment_intent',
    shape: CAPTURE_INTENT,
    run: capture,
  }),
  api('POST', '/v1/payment_intents/{id}/cancel', 'cancel', {
    shows: 'payment_intent',
    shape: CANCEL_INTENT,
    run: cancelIntent,
  }),
];
