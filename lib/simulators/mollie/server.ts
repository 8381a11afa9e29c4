import { bearerToken, isValidKey, secretList } from '#lib/simulators/kit/account-scope.ts';
import { textAt } from '#lib/simulators/kit/json.ts';
import { pickObject } from '#lib/simulators/kit/pick-object.ts';
import type { IdempotencyPolicy, ProviderSimulator } from '#lib/simulators/kit/provider-simulator.port.ts';
import { withHeaders } from '#lib/simulators/kit/wire.ts';
import { captureRoutes, lapseAuthorization, settleCapture, settleNewest } from '#lib/simulators/mollie/captures.ts';
import { customerRoutes } from '#lib/simulators/mollie/customers.ts';
import { disputeControls, disputeRoutes } from '#lib/simulators/mollie/disputes.ts';
import { errorResponse } from '#lib/simulators/mollie/errors.ts';
import { NO_SECRET, webhookHeaders } from '#lib/simulators/mollie/events.ts';
import { listRoutes } from '#lib/simulators/mollie/lists.ts';
import { isCapture, isPayment, isRefund } from '#lib/simulators/mollie/objects.ts';
import { fail } from '#lib/simulators/mollie/outcomes.ts';
import { pageRoutes } from '#lib/simulators/mollie/pages.ts';
import { paymentRoutes, profileId } from '#lib/simulators/mollie/payments.ts';
import { completeRefund, failRefund, refundRoutes } from '#lib/simulators/mollie/refunds.ts';
import { apiRoute, parseBody } from '#lib/simulators/mollie/requests.ts';
import { HOUR } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';

const KEY_FORMAT = /^(test|live)_\w+$/;

const identify: ProviderSimulator['identify'] = (request) => {
  const key = bearerToken(request);
  if (key === undefined || !isValidKey(key, KEY_FORMAT)) {
    return { error: errorResponse(401, 'Missing authentication, or failed to authenticate') };
  }
  return { identity: key };
};

/** An account with a secret has an endpoint for events; its public id switches them on. */
const accountOf: ProviderSimulator['accountOf'] = ({ api_key: key, webhook_secret: secret }) => {
  if (typeof key !== 'string') return undefined;
  const secrets = secretList(secret);
  return secrets.length > 0
    ? { identity: key, publicId: 'hook_of_this_account', webhookSecrets: secrets }
    : { identity: key, publicId: null, webhookSecrets: [NO_SECRET] };
};

/** Our payment id is in the metadata of a new payment, or on the payment that the request is about. */
const readRequest: ProviderSimulator['readRequest'] = (request, params, objects) => {
  const input = parseBody(request) ?? {};
  const key = request.headers['idempotency-key'];
  const paymentId = textAt(input, 'metadata', 'payment_id') ?? objects.get(params.id ?? '')?.paymentId ?? null;
  return {
    input,
    key: request.method !== 'GET' && typeof key === 'string' ? key : null,
    paymentId,
    customerId: textAt(input, 'customerId'),
  };
};

const profileRoutes = [
  apiRoute('GET', '/v2/profiles/me', 'ping', {
    run: ({ mode }, work) => ({
      resource: 'profile',
      id: profileId(work),
      mode,
      name: work.accountName,
      website: 'https://shop.example',
      email: 'owner@example.com',
      phone: '+31208202070',
      businessCategory: 'OTHER_MERCHANDISE',
      status: 'verified',
      createdAt: '2023-11-14T22:13:20+00:00',
      _links: {
        self: { href: 'https://api.mollie.com/v2/profiles/me', type: 'application/hal+json' },
        dashboard: { href: 'https://my.mollie.com/dashboard', type: 'text/html' },
        documentation: { href: 'https://docs.mollie.com/reference/get-current-profile', type: 'text/html' },
      },
    }),
  }),
];

/** Applies to the newest object that waits for the customer, else to a pending refund, else to the newest attempt. */
const complete: ProviderSimulator['complete'] = (candidates, outcome, work) => {
  const target = pickObject(
    candidates,
    (stored) => isPayment(stored) && ['open', 'pending', 'authorized'].includes(stored.body.status),
    (stored) => isRefund(stored) && stored.body.status === 'pending',
    isPayment,
  );
  if (!target) return;
  if (isRefund(target)) {
    work.setWebhookMode(target.notes.webhook);
    if (outcome === 'succeeded') completeRefund(work, target);
    else failRefund(work, target);
  } else if (isPayment(target)) {
    settleNewest(work, target, outcome);
  } else if (isCapture(target)) {
    settleCapture(work, target, outcome);
  }
};

/** Expires an unpaid page or a bank's hold, or completes a refund. */
const onDue: ProviderSimulator['onDue'] = (stored, work) => {
  if (isPayment(stored) && stored.body.status === 'open') {
    work.setWebhookMode(stored.notes.webhook);
    fail(work, stored, { status: 'expired' });
  } else if (isPayment(stored) && stored.body.status === 'authorized') {
    lapseAuthorization(work, stored);
  } else if (isRefund(stored)) {
    work.setWebhookMode(stored.notes.webhook);
    completeRefund(work, stored);
  }
};

/**
 * A repeated key returns the first response, whatever the body is. Where Mollie's documentation is unclear, the
 * stricter reading applies: keys live for one hour, and 5xx responses are not stored.
 */
const idempotency: IdempotencyPolicy = {
  ttlMs: () => HOUR,
  fingerprint: ({ method, path }) => `${method} ${path}`,
  stores: ({ status }) => status < 500,
  mismatch: () => errorResponse(409, 'The idempotency key was used for another request'),
  inUse: () => errorResponse(409, 'A request with this idempotency key is being processed'),
};

const errors: ProviderSimulator['errors'] = {
  unknownRoute: () => errorResponse(404, 'The requested resource does not exist'),
  tooLarge: () => errorResponse(413, 'The request is too large'),
  rateLimited: () => errorResponse(429, 'You have exceeded the rate limit. Please slow down your requests.'),
  serverError: () => errorResponse(500, 'An unexpected error occurred', undefined, false),
};

export const mollieSimulator: ProviderSimulator = {
  provider: 'mollie',
  randomCredentials: (stage) => ({
    api_key: `${stage === 'live' ? 'live' : 'test'}_${randomText(30)}`,
    webhook_secret: randomText(32),
  }),
  disputes: disputeControls,
  routes: [
    ...listRoutes,
    ...paymentRoutes,
    ...captureRoutes,
    ...refundRoutes,
    ...disputeRoutes,
    ...customerRoutes,
    ...profileRoutes,
    ...pageRoutes,
  ],
  idempotency,
  errors,
  identify,
  readRequest,
  accountOf,
  webhookHeaders,
  complete,
  finishResponse: (response, { requestId }) => withHeaders(response, { 'x-request-id': requestId }),
  onDue,
};
