import { accountHash, secretList } from '#lib/simulators/kit/account-scope.ts';
import { isDispute } from '#lib/simulators/kit/dispute-life.ts';
import { hashPathAndBody, idempotencyKeyOf } from '#lib/simulators/kit/idempotency.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import { pickObject } from '#lib/simulators/kit/pick-object.ts';
import type {
  FinalOutcome,
  IdempotencyPolicy,
  ProviderSimulator,
  UnitOfWork,
} from '#lib/simulators/kit/provider-simulator.port.ts';
import { captureRoutes, lapseAuthorization } from '#lib/simulators/razorpay/captures.ts';
import { disputeControls, disputeRoutes, expireDispute } from '#lib/simulators/razorpay/disputes.ts';
import { plainError } from '#lib/simulators/razorpay/errors.ts';
import { eventTypeOf, webhookHeaders } from '#lib/simulators/razorpay/events.ts';
import { expireLink, linkRoutes, settleLink } from '#lib/simulators/razorpay/links.ts';
import { listRoutes } from '#lib/simulators/razorpay/lists.ts';
import {
  isLink,
  isOrder,
  isPayment,
  isRefund,
  paymentsOf,
  receiptKey,
  referenceKey,
} from '#lib/simulators/razorpay/objects.ts';
import { orderRoutes } from '#lib/simulators/razorpay/orders.ts';
import { settlePayment } from '#lib/simulators/razorpay/outcomes.ts';
import { pageRoutes } from '#lib/simulators/razorpay/pages.ts';
import { paymentRoutes } from '#lib/simulators/razorpay/payments.ts';
import { completeRefund, failRefund, refundRoutes } from '#lib/simulators/razorpay/refunds.ts';
import { basicCredentials, parseBody, paymentIdIn, textIn } from '#lib/simulators/razorpay/requests.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';

const identityOf = (keyId: string, keySecret: string): string => `${keyId}:${keySecret}`;

const identify: ProviderSimulator['identify'] = (request) => {
  if (request.headers.authorization === undefined)
    return { error: plainError(401, 'Please provide your api key for authentication purposes.') };
  const [keyId = '', keySecret = ''] = basicCredentials(request) ?? [];
  const isKey = /^rzp_(test|live)_\w+$/.test(keyId) && !/invalid|revoked/.test(keyId + keySecret);
  return isKey
    ? { identity: identityOf(keyId, keySecret) }
    : { error: plainError(401, 'The api key provided is invalid') };
};

const accountOf: ProviderSimulator['accountOf'] = ({ key_id, key_secret, webhook_secret: secret, account_id }) => {
  if (typeof key_id !== 'string' || typeof key_secret !== 'string') return undefined;
  return {
    identity: identityOf(key_id, key_secret),
    publicId: typeof account_id === 'string' ? account_id : null,
    webhookSecrets: secretList(secret),
  };
};

/** Our payment id is in the notes of a new object, or on the object that the request is about. */
const readRequest: ProviderSimulator['readRequest'] = (request, params, objects) => {
  const input = parseBody(request) ?? {};
  const subject = params.id ?? textIn(input, 'order_id');
  const account = accountHash(identityOf(...(basicCredentials(request) ?? ['', ''])));
  const receipt = request.query.get('receipt');
  const reference = request.query.get('reference_id');
  const parents = [
    receipt !== null && receiptKey(account, receipt),
    reference !== null && referenceKey(account, reference),
  ].filter((parent) => parent !== false);
  const paymentId =
    paymentIdIn(input) ??
    (subject === null ? undefined : objects.get(subject)?.paymentId) ??
    parents.flatMap((parent) => objects.childrenOf(parent))[0]?.paymentId ??
    null;
  return {
    input,
    key: idempotencyKeyOf(request, 'x-refund-idempotency'),
    paymentId,
    customerId: textIn(input, 'customer_id'),
  };
};

/** Applies to the newest object that waits for the customer, else to a pending refund, else to the newest attempt. */
function complete(candidates: readonly StoredObject[], outcome: FinalOutcome, work: UnitOfWork): void {
  const picked = pickObject(
    candidates,
    (stored) => (isPayment(stored) || isLink(stored)) && stored.body.status === 'created',
    (stored) => isRefund(stored) && stored.body.status === 'pending',
    (stored) => isPayment(stored) || isLink(stored),
  );
  const target = picked && paymentBehind(picked, work);
  if (!target) return;
  if (isRefund(target)) {
    work.setWebhookMode(target.notes.webhook);
    if (outcome === 'succeeded') completeRefund(work, target);
    else failRefund(work, target);
  } else if (isLink(target)) settleLink(work, target, outcome);
  else if (isPayment(target)) settlePayment(work, target, outcome);
}

/** An order stands for its newest payment. */
const paymentBehind = (stored: StoredObject, work: UnitOfWork): StoredObject | undefined =>
  isOrder(stored) ? paymentsOf(work.objects, stored.id).at(-1) : stored;

/** Only refunds have idempotency keys. Razorpay does not document how long they live. */
const idempotency: IdempotencyPolicy = {
  ttlMs: () => DAY,
  fingerprint: hashPathAndBody,
  stores: ({ status }) => status === 200,
  mismatch: () => plainError(409, 'Different request with the same idempotency key has already been processed.'),
  inUse: () => plainError(409, 'A request with the same idempotency key is being processed.'),
};

export const razorpaySimulator: ProviderSimulator = {
  provider: 'razorpay',
  randomCredentials: (stage) => ({
    key_id: `rzp_${stage === 'live' ? 'live' : 'test'}_${randomText(14)}`,
    key_secret: randomText(24),
    webhook_secret: randomText(32),
  }),
  disputes: disputeControls,
  routes: [
    ...listRoutes,
    ...orderRoutes,
    ...paymentRoutes,
    ...captureRoutes,
    ...linkRoutes,
    ...refundRoutes,
    ...disputeRoutes,
    ...pageRoutes,
  ],
  idempotency,
  errors: {
    unknownRoute: () => plainError(404, 'The requested URL was not found on the server.'),
    tooLarge: () => plainError(413, 'The request is too large.'),
    rateLimited: () => plainError(429, 'Request failed. Please try after sometime.'),
    serverError: () =>
      plainError(500, 'We are facing some trouble completing your request at the moment. Please try again shortly.', {
        code: 'SERVER_ERROR',
      }),
  },
  identify,
  readRequest,
  accountOf,
  eventTypeOf,
  webhookHeaders,
  complete,
  finishResponse: (response) => response,
  onDue: (object, work) => {
    if (isLink(object) && object.body.status === 'created') expireLink(work, object);
    if (isPayment(object)) lapseAuthorization(work, object);
    if (isDispute(object)) expireDispute(work, object);
  },
};
