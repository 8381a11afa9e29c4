import { scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { chosenMethod } from '#lib/simulators/stripe/customers.ts';
import { checkDetails } from '#lib/simulators/stripe/details.ts';
import { cardDeclined, invalid, invalidState, unexpectedState } from '#lib/simulators/stripe/errors.ts';
import { announce } from '#lib/simulators/stripe/events.ts';
import { flagAt, integerAt, metadataOf, textAt, textsAt } from '#lib/simulators/stripe/form.ts';
import { checkMoney } from '#lib/simulators/stripe/money.ts';
import {
  findIntent,
  isIntent,
  newIntent,
  newStripeId,
  type PaymentIntent,
  type StoredIntent,
  seconds,
} from '#lib/simulators/stripe/objects.ts';
import { attemptPayment, cancel, changeIntent } from '#lib/simulators/stripe/outcomes.ts';
import { CANCEL_INTENT, CONFIRM_INTENT, CREATE_INTENT, EXPAND_ONLY } from '#lib/simulators/stripe/parameters.ts';
import {
  type ApiRequest,
  apiRoute,
  automaticMethodsIn,
  checkCaptureMethod,
  checkReturnUrl,
  presenceOf,
} from '#lib/simulators/stripe/requests.ts';
import type { TestMethod } from '#lib/simulators/stripe/test-methods.ts';

const NO_METHOD_MESSAGE =
  "You cannot confirm this PaymentIntent because it's missing a payment method. You can either " +
  'update the PaymentIntent with a payment method and then confirm it again, or confirm it again ' +
  'directly with a payment method or ConfirmationToken.';

function createIntent({ input, call, livemode }: ApiRequest, work: UnitOfWork): PaymentIntent {
  const amount = integerAt(input, 'amount') ?? 0;
  const currency = (textAt(input, 'currency') ?? '').toLowerCase();
  const method = chosenMethod(input, work);
  checkMoney(amount, currency, typesOf(input, method));
  checkDetails(input, typesOf(input, method), amount);
  checkCaptureMethod(input, typesOf(input, method));
  const confirm = flagAt(input, 'confirm');
  if (confirm) {
    if (!method) throw invalidState(NO_METHOD_MESSAGE, { code: 'payment_intent_unexpected_state' });
    checkReturnUrl(input, automaticMethodsIn(input));
  } else if (textAt(input, 'return_url') !== null || textAt(input, 'off_session') !== null) {
    throw invalid('The parameters `return_url` and `off_session` can only be used with `confirm` set to `true`.', {
      param: 'confirm',
    });
  }
  const notes = { ...scenarioNotes(call.scenario), returnUrl: textAt(input, 'return_url'), method };
  const intent = newIntent(work, input, { amount, currency, livemode, notes });
  announce(work, 'payment_intent.created', intent.body);
  return confirm ? payIntent(work, intent, input) : work.objects.put(intent).body;
}

/** The payment method types that the request names, or the one of its method. */
function typesOf(input: ApiRequest['input'], method: TestMethod | null): readonly string[] {
  const named = ['allowed_payment_method_types', 'payment_method_types'].flatMap((name) => textsAt(input, name));
  return named.length === 0 && method ? [method.type] : named;
}

/** Attempts to charge. The attempt uses up the scenario of the intent. */
function payIntent(work: UnitOfWork, intent: StoredIntent, input: ApiRequest['input']): PaymentIntent {
  const withoutBehaviour = { ...intent, notes: { ...intent.notes, behaviour: null } };
  const { intent: after, error } = attemptPayment(work, withoutBehaviour, {
    behaviour: intent.notes.behaviour,
    presence: presenceOf(input),
  });
  if (error) throw cardDeclined(error, after.body);
  return after.body;
}

function confirmIntent({ input, id, call }: ApiRequest, work: UnitOfWork): PaymentIntent {
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
  const newMethod = chosenMethod(input, work);
  if (!newMethod && intent.body.payment_method === null) throw unexpectedState(NO_METHOD_MESSAGE, intent.body);
  const hasReturnUrl = intent.notes.returnUrl !== null || intent.parent !== null;
  if (!hasReturnUrl) checkReturnUrl(input, intent.body.automatic_payment_methods);
  const change = {
    ...(newMethod && { payment_method: newMethod.id ?? newStripeId('pm') }),
    ...(textAt(input, 'capture_method') && { capture_method: textAt(input, 'capture_method') ?? '' }),
  };
  const notes = {
    ...(call.scenario ? scenarioNotes(call.scenario) : {}),
    ...(newMethod && { method: newMethod }),
    returnUrl: textAt(input, 'return_url') ?? intent.notes.returnUrl,
  };
  return payIntent(
    work,
    { ...intent, body: { ...intent.body, ...change }, notes: { ...intent.notes, ...notes } },
    input,
  );
}

/** Stripe takes many more fields. These change nothing about the charge. */
const UPDATE_INTENT = { ...EXPAND_ONLY, description: 'text', metadata: 'metadata', receipt_email: 'text' } as const;

function updateIntent({ input, id }: ApiRequest, work: UnitOfWork): PaymentIntent {
  const intent = findIntent(work, id);
  const changed = ['description', 'receipt_email'].flatMap((name) => {
    const text = textAt(input, name);
    return text === null ? [] : [[name, text] as const];
  });
  const metadata = { ...intent.body.metadata, ...metadataOf(input) };
  return changeIntent(work, intent, { ...Object.fromEntries(changed), metadata }).body;
}

function cancelIntent({ input, id }: ApiRequest, work: UnitOfWork): PaymentIntent {
  const intent = findIntent(work, id);
  const { status } = intent.body;
  if (status === 'succeeded' || status === 'canceled') {
    const message =
      `You cannot cancel this PaymentIntent because it has a status of ${status}. Only a PaymentIntent ` +
      'with one of the following statuses may be canceled: requires_payment_method, requires_capture, ' +
      'requires_confirmation, requires_action, processing.';
    throw unexpectedState(message, intent.body);
  }
  // A page's payment is canceled with its page, until money is held.
  if (intent.parent !== null && status !== 'requires_capture') {
    throw invalidState(
      'You cannot cancel this PaymentIntent because it was created by a Checkout Session. Expire the ' +
        'Checkout Session instead.',
    );
  }
  return cancel(work, intent, textAt(input, 'cancellation_reason')).body;
}

/** Stripe's search is not read-after-write: it finds a new intent only after this time on the service clock. */
const SEARCH_LAG_SECONDS = 60;

const CLAUSE = /^metadata\[(["'])([^"']+)\1\]:(["'])((?:[^"'\\]|\\.)*)\3$/;

/** The value in `metadata['payment_id']:'…'`, the only query that is simulated; undefined for other queries. */
export function searchedPayment(query: string): string | undefined {
  const clause = CLAUSE.exec(query.trim());
  return clause?.[2] === 'payment_id' ? clause[4]?.replaceAll(/\\(.)/g, '$1') : undefined;
}

function searchIntents({ input }: ApiRequest, work: UnitOfWork): object {
  const paymentId = searchedPayment(textAt(input, 'query') ?? '');
  if (paymentId === undefined)
    throw invalid("We were unable to parse your search query. This simulator knows metadata['payment_id']:'…' only.", {
      param: 'query',
    });
  const found = work.objects
    .ofPayment(paymentId)
    .filter(isIntent)
    .filter(({ account }) => account === work.account);
  const data = found.map(({ body }) => body).filter(({ created }) => created + SEARCH_LAG_SECONDS <= seconds(work.now));
  return {
    object: 'search_result',
    data: data.toReversed(),
    has_more: false,
    next_page: null,
    url: '/v1/payment_intents/search',
  };
}

export const paymentRoutes = [
  apiRoute('POST', '/v1/payment_intents', 'create', {
    responseType: 'payment_intent',
    shape: CREATE_INTENT,
    required: ['amount', 'currency'],
    acceptsLegacyTypes: true,
    run: createIntent,
  }),
  apiRoute('GET', '/v1/payment_intents/search', 'find', {
    responseType: 'list:payment_intent',
    shape: { expand: 'texts', limit: 'integer', page: 'text', query: 'text' },
    required: ['query'],
    run: searchIntents,
  }),
  apiRoute('GET', '/v1/payment_intents/{id}', 'fetch', {
    responseType: 'payment_intent',
    shape: { ...EXPAND_ONLY, client_secret: 'text' },
    run: ({ id }, work) => findIntent(work, id).body,
  }),
  apiRoute('POST', '/v1/payment_intents/{id}', 'update', {
    responseType: 'payment_intent',
    shape: UPDATE_INTENT,
    run: updateIntent,
  }),
  apiRoute('POST', '/v1/payment_intents/{id}/confirm', 'confirm', {
    responseType: 'payment_intent',
    shape: CONFIRM_INTENT,
    acceptsLegacyTypes: true,
    run: confirmIntent,
  }),
  apiRoute('POST', '/v1/payment_intents/{id}/cancel', 'cancel', {
    responseType: 'payment_intent',
    shape: CANCEL_INTENT,
    run: cancelIntent,
  }),
];
