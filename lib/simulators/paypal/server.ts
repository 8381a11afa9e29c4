import { isDispute } from '#lib/simulators/kit/dispute-life.ts';
import { hashPathAndBody, idempotencyKeyOf } from '#lib/simulators/kit/idempotency.ts';
import { textAt } from '#lib/simulators/kit/json.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import { pickObject } from '#lib/simulators/kit/pick-object.ts';
import type {
  FinalOutcome,
  IdempotencyPolicy,
  ProviderSimulator,
  UnitOfWork,
} from '#lib/simulators/kit/provider-simulator.port.ts';
import { BASE_URL, withHeaders } from '#lib/simulators/kit/wire.ts';
import {
  authorizationRoutes,
  expireAuthorization,
  settleAuthorization,
  settleAuthorizedOrder,
  settleHeldCapture,
} from '#lib/simulators/paypal/captures.ts';
import { AUTHORITY, certificateRoute, webhookHeaders } from '#lib/simulators/paypal/certificates.ts';
import { disputeControls, disputeRoutes, expireDispute } from '#lib/simulators/paypal/disputes.ts';
import { errorResponse, json, notFound } from '#lib/simulators/paypal/errors.ts';
import { eventTypeOf } from '#lib/simulators/paypal/events.ts';
import { listRoutes } from '#lib/simulators/paypal/lists.ts';
import { accountOf, identify, loginRoute } from '#lib/simulators/paypal/oauth.ts';
import { isAuthorization, isCapture, isOpen, isOrder, isRefund } from '#lib/simulators/paypal/objects.ts';
import { pageRoutes } from '#lib/simulators/paypal/pages.ts';
import { paymentRoutes } from '#lib/simulators/paypal/payments.ts';
import { completeRefund, failRefund, refundRoutes } from '#lib/simulators/paypal/refunds.ts';
import { apiRoute, parseBody } from '#lib/simulators/paypal/requests.ts';
import { DAY, HOUR } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';

/** Our payment id is the third part of `custom_id` of a new order, or on the object that the request is about. */
const readRequest: ProviderSimulator['readRequest'] = (request, params, objects) => {
  const input = (request.headers['content-type']?.startsWith('application/json') && parseBody(request)) || {};
  const fromCustomId = textAt(input, 'purchase_units', 0, 'custom_id')?.split('|')[2];
  const paymentId = fromCustomId ?? (params.id === undefined ? undefined : objects.get(params.id)?.paymentId) ?? null;
  return { input, key: idempotencyKeyOf(request, 'paypal-request-id'), paymentId, customerId: null };
};

/** Any well-formed webhook id exists, unless it contains `UNKNOWN`. */
const webhookRoutes = [
  apiRoute('GET', '/v1/notifications/webhooks/{webhook}', 'ping', ({ params: { webhook = '' } }) => {
    if (!/^[A-Z0-9-]{1,64}$/i.test(webhook) || webhook.includes('UNKNOWN')) throw notFound();
    const links = [{ href: `${BASE_URL}/paypal/v1/notifications/webhooks/${webhook}`, rel: 'self', method: 'GET' }];
    return json(200, {
      id: webhook,
      url: 'https://shop.example/webhooks/paypal',
      event_types: [{ name: '*', description: 'ALL' }],
      links,
    });
  }),
];

/** Applies to the newest object that waits for the payer, else to a pending refund, else to the newest order. */
function complete(candidates: readonly StoredObject[], outcome: FinalOutcome, work: UnitOfWork): void {
  const target = pickObject(
    candidates,
    (stored) =>
      (isOrder(stored) && isOpen(stored)) ||
      ((isCapture(stored) || isAuthorization(stored)) && stored.body.status === 'PENDING'),
    (stored) => isRefund(stored) && stored.body.status === 'PENDING',
    isOrder,
  );
  if (!target) return;
  if (isRefund(target)) {
    work.setWebhookMode(target.notes.webhook);
    if (outcome === 'succeeded') completeRefund(work, target);
    else failRefund(work, target);
  } else if (isAuthorization(target)) settleAuthorization(work, target, outcome);
  else if (isCapture(target)) settleHeldCapture(work, target, outcome);
  else if (isOrder(target)) settleAuthorizedOrder(work, target, outcome);
}

/**
 * Executed requests are stored, also a declined capture. Rejected requests and server errors are not. Keys of the
 * orders API live for 6 hours, keys of the payments API (captures and refunds) for 45 days. PayPal does not document
 * what a key gets that was used with another body.
 */
const idempotency: IdempotencyPolicy = {
  ttlMs: ({ path }) => (path.startsWith('/v2/checkout/') ? 6 * HOUR : 45 * DAY),
  fingerprint: hashPathAndBody,
  stores: ({ status }) => status < 500,
  replayed: (response) => ({ ...response, status: response.status === 201 ? 200 : response.status }),
  mismatch: () =>
    errorResponse(422, [
      { issue: 'DUPLICATE_REQUEST_ID', description: 'The value of PayPal-Request-Id header has already been used.' },
    ]),
  inUse: () =>
    errorResponse(409, [
      {
        issue: 'PREVIOUS_REQUEST_IN_PROGRESS',
        description: 'A previous request on this resource is currently in progress.',
      },
    ]),
};

const errors: ProviderSimulator['errors'] = {
  unknownRoute: () => errorResponse(404),
  tooLarge: () => ({ ...errorResponse(400), status: 413 }),
  rateLimited: () => errorResponse(429),
  serverError: () => errorResponse(500),
};

export const paypalSimulator: ProviderSimulator = {
  provider: 'paypal',
  randomCredentials: () => ({
    client_id: `A${randomText(79)}`,
    client_secret: `E${randomText(79)}`,
    webhook_secret: randomText(17).toUpperCase(),
  }),
  rootCertificate: AUTHORITY,
  disputes: disputeControls,
  routes: [
    ...listRoutes,
    loginRoute,
    ...paymentRoutes,
    ...authorizationRoutes,
    ...refundRoutes,
    ...disputeRoutes,
    ...webhookRoutes,
    certificateRoute,
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
  finishResponse: (response, { requestId }) => withHeaders(response, { 'paypal-debug-id': requestId }),
  // PayPal does not document how long an unapproved order lives, so it stays.
  onDue: (object, work) => {
    if (isAuthorization(object)) expireAuthorization(work, object);
    if (isDispute(object)) expireDispute(work, object);
  },
};
