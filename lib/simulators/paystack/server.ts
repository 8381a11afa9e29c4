import { bearerToken, isValidKey } from '#lib/simulators/kit/account-scope.ts';
import { isDispute } from '#lib/simulators/kit/dispute-life.ts';
import { isObject } from '#lib/simulators/kit/json.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import { pickObject } from '#lib/simulators/kit/pick-object.ts';
import type { FinalOutcome, ProviderSimulator, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { chargeRoutes } from '#lib/simulators/paystack/charges.ts';
import { disputeControls, disputeRoutes, expireDispute } from '#lib/simulators/paystack/disputes.ts';
import { errorResponse } from '#lib/simulators/paystack/errors.ts';
import { webhookHeaders } from '#lib/simulators/paystack/events.ts';
import { listRoutes } from '#lib/simulators/paystack/lists.ts';
import { findTransaction, isAlias, isRefund, isTransaction } from '#lib/simulators/paystack/objects.ts';
import { isUndecided, settleTransaction } from '#lib/simulators/paystack/outcomes.ts';
import { pageRoutes } from '#lib/simulators/paystack/pages.ts';
import { paymentRoutes } from '#lib/simulators/paystack/payments.ts';
import { failRefund, processRefund, refundRoutes } from '#lib/simulators/paystack/refunds.ts';
import { metadataIn, parseBody, textIn } from '#lib/simulators/paystack/requests.ts';
import { randomText } from '#shared/kernel/ids.ts';

const KEY_FORMAT = /^sk_(test|live)_\w+$/;

const identify: ProviderSimulator['identify'] = (request) => {
  const key = bearerToken(request);
  const nextStep = 'Ensure that you provide the correct authorization key for the request';
  if (key === undefined)
    return {
      error: errorResponse(401, { message: 'No Authorization Header was found', code: 'missing_key', nextStep }),
    };
  if (!isValidKey(key, KEY_FORMAT))
    return { error: errorResponse(401, { message: 'Invalid key', code: 'invalid_Key', nextStep }) };
  return { identity: key };
};

/** The secret key authenticates requests and also signs webhooks. */
const accountOf: ProviderSimulator['accountOf'] = ({ secret_key: key }) =>
  typeof key === 'string' ? { identity: key, publicId: null, webhookSecrets: [key] } : undefined;

/** Our payment id is in the metadata of a new transaction, or on the object that the request is about. */
const readRequest: ProviderSimulator['readRequest'] = (request, params, objects) => {
  const input = parseBody(request) ?? {};
  const metadata = metadataIn(input.metadata);
  const fromMetadata = isObject(metadata) ? textIn(metadata, 'payment_id') : undefined;
  const subject = params.id ?? textIn(input, 'transaction') ?? textIn(input, 'reference');
  const known =
    fromMetadata === undefined && subject !== undefined ? objects.get(decodeURIComponent(subject)) : undefined;
  const paymentId =
    fromMetadata ?? known?.paymentId ?? (known?.parent ? objects.get(known.parent)?.paymentId : undefined) ?? null;
  return {
    input,
    key: null,
    paymentId,
    customerId: isObject(metadata) ? (textIn(metadata, 'customer_id') ?? null) : null,
  };
};

/** Applies to the newest object that waits for the customer, else to a pending refund, else to the newest attempt. */
function complete(candidates: readonly StoredObject[], outcome: FinalOutcome, work: UnitOfWork): void {
  const target = pickObject(
    candidates,
    (stored) => isTransaction(stored) && isUndecided(stored),
    (stored) => isRefund(stored) && stored.body.status === 'pending',
    isTransaction,
  );
  if (!target) return;
  if (isRefund(target)) {
    work.setWebhookMode(target.notes.webhook);
    (outcome === 'succeeded' ? processRefund : failRefund)(work, target);
    return;
  }
  const transaction = isAlias(target) ? findTransaction(work, target.id) : target;
  if (transaction && isTransaction(transaction)) settleTransaction(work, transaction, outcome);
}

const errors: ProviderSimulator['errors'] = {
  unknownRoute: () => errorResponse(404, { message: 'Entity not found' }),
  tooLarge: () => errorResponse(413, { message: 'Request entity too large' }),
  rateLimited: () =>
    errorResponse(429, {
      message: 'You have exceeded the number of requests allowed',
      code: 'rate_limited',
      type: 'api_error',
    }),
  serverError: () => errorResponse(500, { message: 'An error occurred', code: 'unknown', type: 'api_error' }),
};

/** Paystack has no idempotency keys: references of transactions are unique, and nothing protects refunds. */
export const paystackSimulator: ProviderSimulator = {
  provider: 'paystack',
  randomCredentials: (stage) => ({ secret_key: `sk_${stage === 'live' ? 'live' : 'test'}_${randomText(40)}` }),
  disputes: disputeControls,
  routes: [...listRoutes, ...paymentRoutes, ...chargeRoutes, ...refundRoutes, ...disputeRoutes, ...pageRoutes],
  errors,
  identify,
  readRequest,
  accountOf,
  webhookHeaders,
  complete,
  finishResponse: (response) => response,
  onDue: (object, work) => {
    if (isDispute(object)) expireDispute(work, object);
  },
};
