import { createHash } from 'node:crypto';
import { bearerToken, isValidKey, secretList } from '#lib/simulators/kit/account-scope.ts';
import { idempotencyKeyOf } from '#lib/simulators/kit/idempotency.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import { pickObject } from '#lib/simulators/kit/pick-object.ts';
import type {
  FinalOutcome,
  IdempotencyPolicy,
  ProviderSimulator,
  UnitOfWork,
} from '#lib/simulators/kit/provider-simulator.port.ts';
import { withHeaders } from '#lib/simulators/kit/wire.ts';
import { captureRoutes, expireHold } from '#lib/simulators/stripe/captures.ts';
import { customerRoutes } from '#lib/simulators/stripe/customers.ts';
import { disputeControls, disputeRoutes, expireDispute, isDispute } from '#lib/simulators/stripe/disputes.ts';
import { errorResponse } from '#lib/simulators/stripe/errors.ts';
import { accountId, eventTypeOf, webhookHeaders } from '#lib/simulators/stripe/events.ts';
import { textAt } from '#lib/simulators/stripe/form.ts';
import { listRoutes } from '#lib/simulators/stripe/lists.ts';
import { API_VERSION, isCharge, isIntent, isRefund, isSession } from '#lib/simulators/stripe/objects.ts';
import { pageRoutes } from '#lib/simulators/stripe/pages.ts';
import { EXPAND_ONLY } from '#lib/simulators/stripe/parameters.ts';
import { paymentRoutes, searchedPayment } from '#lib/simulators/stripe/payments.ts';
import { completeRefund, failRefund, refundRoutes } from '#lib/simulators/stripe/refunds.ts';
import { apiRoute, parametersOf } from '#lib/simulators/stripe/requests.ts';
import { expireSession, settleIntent, settleSession } from '#lib/simulators/stripe/session-outcomes.ts';
import { sessionRoutes } from '#lib/simulators/stripe/sessions.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';

const KEY_FORMAT = /^(sk|rk)_(test|live)_\w+$/;

const NO_KEY_MESSAGE =
  'You did not provide an API key. You need to provide your API key in the Authorization header, ' +
  "using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See " +
  'https://stripe.com/docs/api#authentication for details, or we can help at ' +
  'https://support.stripe.com/.';

/** A connected account is an account of its own, although the platform's key acts for it. */
const identityOf = (key: string, account: string | null): string => (account === null ? key : `${key} for ${account}`);

const masked = (key: string): string => `${key.slice(0, 8)}${'*'.repeat(Math.max(4, key.length - 12))}${key.slice(-4)}`;

const identify: ProviderSimulator['identify'] = (request) => {
  const key = bearerToken(request);
  if (key === undefined)
    return { error: errorResponse(401, { message: NO_KEY_MESSAGE, type: 'invalid_request_error' }) };
  if (!isValidKey(key, KEY_FORMAT)) {
    return {
      error: errorResponse(401, {
        message: `Invalid API Key provided: ${masked(key)}`,
        type: 'invalid_request_error',
      }),
    };
  }
  const account = request.headers['stripe-account'];
  return { identity: identityOf(key, typeof account === 'string' ? account : null) };
};

const accountOf: ProviderSimulator['accountOf'] = ({ secret_key: key, webhook_secret: secret, account }) => {
  if (typeof key !== 'string') return undefined;
  const publicId = typeof account === 'string' ? account : null;
  return { identity: identityOf(key, publicId), publicId, webhookSecrets: secretList(secret) };
};

/** Our payment id is in the metadata of a new object, or on the object that the request is about. */
const readRequest: ProviderSimulator['readRequest'] = (request, params, objects) => {
  const input = parametersOf(request);
  const subject = params.id ?? textAt(input, 'payment_intent') ?? textAt(input, 'charge');
  const query = textAt(input, 'query');
  const paymentId =
    textAt(input, 'metadata', 'payment_id') ??
    textAt(input, 'payment_intent_data', 'metadata', 'payment_id') ??
    (subject === null ? undefined : objects.get(subject)?.paymentId) ??
    (query === null ? undefined : searchedPayment(query)) ??
    null;
  const customerId = textAt(input, 'metadata', 'customer_id') ?? textAt(input, 'customer');
  return { input, key: idempotencyKeyOf(request, 'idempotency-key'), paymentId, customerId };
};

const businessProfile = (name: string) => ({
  mcc: null,
  minority_owned_business_designation: null,
  name,
  product_description: null,
  specified_commercial_transactions_act_url: null,
  support_address: null,
  support_email: null,
  support_phone: null,
  support_url: null,
  url: null,
});

const accountRoutes = [
  apiRoute('GET', '/v1/account', 'ping', {
    responseType: 'account',
    shape: EXPAND_ONLY,
    run: (_, work) => ({
      id: accountId(work),
      object: 'account',
      business_profile: businessProfile(work.accountName),
      business_type: 'company',
      capabilities: { card_payments: 'active', transfers: 'active' },
      charges_enabled: true,
      country: 'US',
      created: 1_700_000_000,
      default_currency: 'usd',
      details_submitted: true,
      email: 'owner@example.com',
      metadata: {},
      payouts_enabled: true,
      settings: {
        branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
        card_payments: {
          statement_descriptor_prefix: null,
          statement_descriptor_prefix_kana: null,
          statement_descriptor_prefix_kanji: null,
        },
        dashboard: { display_name: work.accountName, timezone: 'Etc/UTC' },
        payments: {
          statement_descriptor: null,
          statement_descriptor_kana: null,
          statement_descriptor_kanji: null,
          statement_descriptor_prefix_kana: null,
          statement_descriptor_prefix_kanji: null,
        },
      },
      type: 'standard',
    }),
  }),
];

/** Applies to the newest object that waits for the customer, else to a pending refund, else to the newest attempt. */
function complete(candidates: readonly StoredObject[], outcome: FinalOutcome, work: UnitOfWork): void {
  const target = pickObject(
    candidates,
    (stored) =>
      (isSession(stored) && stored.body.status === 'open') ||
      (isIntent(stored) && ['requires_action', 'processing'].includes(stored.body.status)),
    (stored) => isRefund(stored) && stored.body.status === 'pending',
    (stored) => isSession(stored) || isIntent(stored),
  );
  if (!target) return;
  if (isRefund(target)) {
    work.setWebhookMode(target.notes.webhook);
    if (outcome === 'succeeded') completeRefund(work, target);
    else failRefund(work, target);
  } else if (isSession(target)) {
    settleSession(work, target, outcome);
  } else if (isIntent(target)) {
    settleIntent(work, target, outcome);
  } else if (isCharge(target)) {
    const intent = work.objects.get(target.body.payment_intent ?? '');
    if (intent && isIntent(intent)) settleIntent(work, intent, outcome);
  }
}

const SAME_PARAMETERS =
  'Keys for idempotent requests can only be used with the same parameters they were first used with.';

/** Executed requests are stored, also a 402 or a 500. Rejected requests are not. */
const idempotency: IdempotencyPolicy = {
  ttlMs: () => DAY,
  fingerprint: ({ path, body }) => {
    const pairs = [...new URLSearchParams(body)].map(([name, value]) => JSON.stringify([name, value]));
    return createHash('sha256')
      .update([path, ...pairs.sort()].join('\n'))
      .digest('hex');
  },
  stores: () => true,
  replayed: (response) =>
    withHeaders(response, { 'original-request': response.headers['request-id'] ?? '', 'idempotent-replayed': 'true' }),
  mismatch: (key) => {
    const message = [
      SAME_PARAMETERS,
      `Try using a key other than '${key}' if you meant to execute a different request.`,
    ].join(' ');
    return errorResponse(400, { message, type: 'idempotency_error' });
  },
  inUse: () => {
    const message =
      'There is currently another in-progress request using this Idempotent Key (that probably means ' +
      'you submitted twice, and the other request is still going through). Please try again later.';
    return errorResponse(409, {
      code: 'idempotency_key_in_use',
      doc_url: 'https://stripe.com/docs/error-codes/idempotency-key-in-use',
      message,
      type: 'idempotency_error',
    });
  },
};

const errors: ProviderSimulator['errors'] = {
  unknownRoute: ({ method, path }) =>
    errorResponse(404, { message: `Unrecognized request URL (${method}: ${path}).`, type: 'invalid_request_error' }),
  tooLarge: () => errorResponse(413, { message: 'Request entity too large.', type: 'invalid_request_error' }),
  rateLimited: () =>
    errorResponse(429, { code: 'rate_limit', message: 'Request rate limit exceeded.', type: 'invalid_request_error' }),
  serverError: () => errorResponse(500, { message: 'An unknown error occurred.', type: 'api_error' }, false),
};

/** Whether a retry may help. Stripe omits this header after success and for 5xx. */
function shouldRetry(status: number): Readonly<Record<string, string>> {
  if (status === 409 || status === 429) return { 'stripe-should-retry': 'true' };
  return status >= 400 && status < 500 ? { 'stripe-should-retry': 'false' } : {};
}

export const stripeSimulator: ProviderSimulator = {
  provider: 'stripe',
  randomCredentials: (stage) => ({
    secret_key: `sk_${stage === 'live' ? 'live' : 'test'}_${randomText(40)}`,
    webhook_secret: `whsec_${randomText(32)}`,
  }),
  disputes: disputeControls,
  routes: [
    ...listRoutes,
    ...paymentRoutes,
    ...captureRoutes,
    ...refundRoutes,
    ...disputeRoutes,
    ...sessionRoutes,
    ...customerRoutes,
    ...accountRoutes,
    ...pageRoutes,
  ],
  idempotency,
  errors,
  identify,
  readRequest,
  accountOf,
  eventTypeOf,
  webhookHeaders,
  complete,
  finishResponse: (response, { request, requestId, key }) => {
    const version = request.headers['stripe-version'];
    const headers = {
      'request-id': `req_${requestId}`,
      'stripe-version': typeof version === 'string' ? version : API_VERSION,
    };
    return withHeaders(response, {
      ...headers,
      ...(key !== null && { 'idempotency-key': key }),
      ...shouldRetry(response.status),
    });
  },
  onDue: (object, work) => {
    if (isSession(object) && object.body.status === 'open') expireSession(work, object);
    if (isDispute(object)) expireDispute(work, object);
    else if (isIntent(object)) expireHold(work, object);
  },
};
