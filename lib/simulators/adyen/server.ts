import { captureRoutes, completeCapture, expireHold } from '#lib/simulators/adyen/captures.ts';
import { disputeControls, disputeRoutes, expireDispute, isDispute } from '#lib/simulators/adyen/disputes.ts';
import { errorResponse } from '#lib/simulators/adyen/errors.ts';
import { eventTypeOf, signBody, webhookHeaders } from '#lib/simulators/adyen/events.ts';
import { expireLink, linkRoutes, settleLink, settlePayment } from '#lib/simulators/adyen/links.ts';
import { findByAlias, isCapture, isLink, isPayment, isRefund } from '#lib/simulators/adyen/objects.ts';
import { pageRoutes } from '#lib/simulators/adyen/pages.ts';
import { paymentRoutes } from '#lib/simulators/adyen/payments.ts';
import { completeRefund, refundRoutes } from '#lib/simulators/adyen/refunds.ts';
import { apiRoute, textIn } from '#lib/simulators/adyen/requests.ts';
import { isValidKey, secretList } from '#lib/simulators/kit/account-scope.ts';
import { hashPathAndBody, idempotencyKeyOf } from '#lib/simulators/kit/idempotency.ts';
import { parseObject, textAt } from '#lib/simulators/kit/json.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import { pickObject } from '#lib/simulators/kit/pick-object.ts';
import type {
  FinalOutcome,
  IdempotencyPolicy,
  ProviderSimulator,
  UnitOfWork,
} from '#lib/simulators/kit/provider-simulator.port.ts';
import { type WireResponse, withHeaders } from '#lib/simulators/kit/wire.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';

const identify: ProviderSimulator['identify'] = ({ headers }) => {
  const key = headers['x-api-key'];
  const good = typeof key === 'string' && isValidKey(key, /^[\x21-\x7e]{8,}$/);
  return good
    ? { identity: key }
    : { error: errorResponse(401, '000', 'HTTP Status Response - Unauthorized', 'security') };
};

const accountOf: ProviderSimulator['accountOf'] = ({
  api_key: key,
  merchant_account: merchant,
  webhook_secret: secret,
}) => {
  if (typeof key !== 'string') return undefined;
  return {
    identity: key,
    publicId: typeof merchant === 'string' ? merchant : null,
    webhookSecrets: secretList(secret),
  };
};

/** Our payment id is in the metadata of a new object, or on the object that the request names by id or alias. */
const readRequest: ProviderSimulator['readRequest'] = (request, params, objects) => {
  const input = parseObject(request.body) ?? {};
  const subject =
    params.id ||
    textIn(input, 'paymentReference') ||
    textIn(input, 'disputePspReference') ||
    (textAt(input, 'details', 'redirectResult') ?? '');
  const known = findByAlias(objects, subject) ?? objects.get(subject);
  const paymentId = textAt(input, 'metadata', 'payment_id') ?? known?.paymentId ?? null;
  return {
    input,
    key: idempotencyKeyOf(request, 'idempotency-key'),
    paymentId,
    customerId: textIn(input, 'shopperReference') || null,
  };
};

/** Belongs to the Management API, which has its own host at Adyen. */
const accountRoutes = [
  apiRoute({
    method: 'GET',
    path: '/v3/me',
    operation: 'ping',
    status: 200,
    check: () => {},
    run: (_, work) => ({
      id: `S2-${work.account.slice(0, 40).toUpperCase()}`,
      username: `ws_${work.account.slice(0, 6)}@Company.${(work.accountPublicId ?? 'DemoShop').replaceAll(/\W/g, '')}`,
      clientKey: `test_${work.account.slice(0, 32).toUpperCase()}`,
      companyName: work.accountName,
      allowedIpAddresses: [],
      roles: ['Checkout webservice role', 'Management API - Users read and write', 'Merchant PAL Webservice role'],
      active: true,
    }),
  }),
];

/**
 * Applies to the newest object that waits for the customer, else to a pending refund or capture, else to the newest
 * attempt.
 */
function complete(candidates: readonly StoredObject[], outcome: FinalOutcome, work: UnitOfWork): void {
  const target = pickObject(
    candidates,
    isWaiting,
    (stored) => (isRefund(stored) || isCapture(stored)) && stored.body.status === 'received',
    (stored) => !isRefund(stored) && !isCapture(stored),
    isCapture,
  );
  const object = target && (findByAlias(work.objects, target.id) ?? target);
  if (!object) return;
  if (isRefund(object)) {
    work.setWebhookMode(object.notes.webhook);
    completeRefund(work, object, outcome);
  } else if (isCapture(object)) completeCapture(work, object, outcome);
  else if (isLink(object)) settleLink(work, object, outcome);
  else if (isPayment(object)) settlePayment(work, object, outcome);
}

const isWaiting = (stored: StoredObject): boolean =>
  (isLink(stored) && stored.body.status === 'active') ||
  (isPayment(stored) && (stored.body.status === 'waiting' || stored.body.status === 'pending'));

const transient = (response: WireResponse): WireResponse => ({
  ...withHeaders(response, { 'transient-error': 'true' }),
  rejected: true,
});

const alreadyProcessed = (): WireResponse => errorResponse(422, '704', 'request already processed or in progress');

/**
 * Responses to executed requests are stored. Transient failures are marked as such: a retry with the same key helps.
 * Adyen does not document what a key gets that was used for another request. The simulator responds with 704, so that
 * tests notice the mistake.
 */
const idempotency: IdempotencyPolicy = {
  ttlMs: () => 7 * DAY,
  fingerprint: hashPathAndBody,
  stores: ({ status }) => status < 400,
  mismatch: alreadyProcessed,
  inUse: () => transient(alreadyProcessed()),
};

const errors: ProviderSimulator['errors'] = {
  unknownRoute: () => errorResponse(404, '000', 'HTTP Status Response - Not Found'),
  tooLarge: () => errorResponse(413, '000', 'HTTP Status Response - Payload Too Large'),
  rateLimited: () => errorResponse(429, '000', 'HTTP Status Response - Too Many Requests'),
  serverError: () => transient(errorResponse(500, '903', 'Internal error', 'internal')),
};

export const adyenSimulator: ProviderSimulator = {
  provider: 'adyen',
  randomCredentials: (stage) => ({
    api_key: `AQE${randomText(60)}`,
    merchant_account: 'DemoShopECOM',
    webhook_secret: Buffer.from(randomText(32)).toString('hex'),
    ...(stage === 'live' && { live_endpoint_url_prefix: 'demo1234-demoshop' }),
  }),
  disputes: disputeControls,
  routes: [
    ...paymentRoutes,
    ...captureRoutes,
    ...refundRoutes,
    ...disputeRoutes,
    ...linkRoutes,
    ...accountRoutes,
    ...pageRoutes,
  ],
  idempotency,
  errors,
  identify,
  readRequest,
  accountOf,
  eventTypeOf,
  signWebhookBody: signBody,
  webhookHeaders,
  complete,
  finishResponse: (response, { requestId, key }) =>
    withHeaders(response, { pspreference: requestId.toUpperCase(), ...(key !== null && { 'idempotency-key': key }) }),
  onDue: (object, work) => {
    if (isLink(object)) expireLink(work, object);
    else if (isPayment(object)) expireHold(work, object);
    if (isDispute(object)) expireDispute(work, object);
  },
};
