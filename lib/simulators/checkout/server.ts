import { captureRoutes, expireHold, isOpenCapture, settleCapture } from '#lib/simulators/checkout/captures.ts';
import { disputeControls, disputeRoutes, expireDispute } from '#lib/simulators/checkout/disputes.ts';
import { emptyError, errorResponse } from '#lib/simulators/checkout/errors.ts';
import { eventTypeOf, webhookHeaders } from '#lib/simulators/checkout/events.ts';
import {
  expirePage,
  hostedPaymentRoutes,
  settlePage,
  settlePayment,
} from '#lib/simulators/checkout/hosted-payments.ts';
import { listRoutes } from '#lib/simulators/checkout/lists.ts';
import { isAction, isPage, isPayment, referenceId } from '#lib/simulators/checkout/objects.ts';
import { pageRoutes } from '#lib/simulators/checkout/pages.ts';
import { paymentRoutes } from '#lib/simulators/checkout/payments.ts';
import { refundRoutes, settleRefund } from '#lib/simulators/checkout/refunds.ts';
import { parseBody } from '#lib/simulators/checkout/requests.ts';
import { bearerToken, isValidKey, secretList } from '#lib/simulators/kit/account-scope.ts';
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
import { DAY } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';

/** Wider than the keys of today, as connections made by an earlier version keep theirs. */
const KEY_FORMAT = /^sk_(sbox_)?[A-Za-z0-9*#$=]+$/;

/** Today's accounts have keys of base 32, which the official library tells from those of older accounts by it. */
const newKey = (): string =>
  randomText(27)
    .toLowerCase()
    .replaceAll(/[0189]/g, (digit) => 'abcd'.charAt('0189'.indexOf(digit)));

/** The host prefix is part of the host name, which the simulator does not see. */
const identify: ProviderSimulator['identify'] = (request) => {
  const key = bearerToken(request);
  return key === undefined || !isValidKey(key, KEY_FORMAT) ? { error: emptyError(401) } : { identity: key };
};

const accountOf: ProviderSimulator['accountOf'] = ({ secret_key: key, webhook_secret: secret }) => {
  if (typeof key !== 'string') return undefined;
  return { identity: key, publicId: null, webhookSecrets: secretList(secret) };
};

/** Idempotency keys apply to these paths. Hosted pages are not among them. */
const IDEMPOTENT_PATHS = /^\/payments(\/[^/]+\/(captures|refunds|voids))?$/;

/** Our payment id is in the metadata of a new object, or on the object that the request is about. */
const readRequest: ProviderSimulator['readRequest'] = (request, params, objects) => {
  const input = parseBody(request.body) ?? {};
  const reference = request.query.get('reference');
  const object = reference === null ? objects.get(params.id ?? '') : objects.childrenOf(referenceId(reference)).at(-1);
  const known = object && (isPayment(object) || isPage(object) || isDispute(object)) ? object.paymentId : null;
  return {
    input,
    key: IDEMPOTENT_PATHS.test(request.path) ? idempotencyKeyOf(request, 'cko-idempotency-key') : null,
    paymentId: textAt(input, 'metadata', 'payment_id') ?? known,
    customerId: textAt(input, 'metadata', 'customer_id') ?? textAt(input, 'customer', 'id'),
  };
};

/**
 * Applies to the newest object that waits for the customer, else to a pending refund or capture, else to the newest
 * attempt.
 */
function complete(candidates: readonly StoredObject[], outcome: FinalOutcome, work: UnitOfWork): void {
  const target = pickObject(
    candidates,
    (stored) => isPayment(stored) && stored.body.status === 'Pending',
    (stored) => isPage(stored) && stored.body.status === 'Payment Pending',
    (stored) => isAction(stored) && stored.body.type === 'Refund' && stored.body.approved === undefined,
    isOpenCapture,
    (stored) => isPayment(stored) || isPage(stored),
  );
  if (!target) return;
  if (isAction(target)) {
    work.setWebhookMode(target.notes.webhook);
    const payment = work.objects.get(target.parent ?? '');
    if (target.body.type === 'Refund') settleRefund(work, target, outcome);
    else if (isOpenCapture(target)) settleCapture(work, target, outcome);
    else if (payment && isPayment(payment)) settlePayment(work, payment, outcome);
  } else if (isPage(target)) settlePage(work, target, outcome);
  else if (isPayment(target)) settlePayment(work, target, outcome);
}

/**
 * Only successful responses are stored; after any other the request is executed again. Checkout.com does not document
 * what a key gets that was used for another request or is in use. The simulator rejects both, so that tests notice.
 */
const idempotency: IdempotencyPolicy = {
  ttlMs: () => DAY,
  fingerprint: hashPathAndBody,
  stores: ({ status }) => status >= 200 && status < 300,
  mismatch: () => errorResponse(422, ['idempotency_key_mismatch']),
  inUse: () => errorResponse(409, ['duplicate_request']),
};

const errors: ProviderSimulator['errors'] = {
  unknownRoute: () => emptyError(404),
  tooLarge: () => emptyError(413),
  rateLimited: () => errorResponse(429, ['api_calls_quota_exceeded'], 'request_rejected'),
  serverError: () => emptyError(500),
};

export const checkoutSimulator: ProviderSimulator = {
  provider: 'checkout',
  randomCredentials: (stage) => ({
    secret_key: `sk_${stage === 'live' ? '' : 'sbox_'}${newKey()}`,
    processing_channel_id: `pc_${randomText(26)}`,
    host_prefix: 'demo1234',
    webhook_secret: randomText(36),
    default_country: 'GB',
  }),
  disputes: disputeControls,
  routes: [
    ...listRoutes,
    ...paymentRoutes,
    ...captureRoutes,
    ...refundRoutes,
    ...disputeRoutes,
    ...hostedPaymentRoutes,
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
  finishResponse: (response, { requestId }) => ({
    ...response,
    headers: { ...response.headers, 'cko-request-id': requestId, 'cko-version': '3.34.5' },
    body: response.body.replace('{request_id}', requestId),
  }),
  onDue: (object, work) => {
    if (isPage(object)) expirePage(work, object);
    if (isPayment(object)) expireHold(work, object);
    if (isDispute(object)) expireDispute(work, object);
  },
};
