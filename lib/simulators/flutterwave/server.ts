import { disputeControls, disputeRoutes, expireDispute } from '#lib/simulators/flutterwave/disputes.ts';
import { errorResponse } from '#lib/simulators/flutterwave/errors.ts';
import { webhookHeaders } from '#lib/simulators/flutterwave/events.ts';
import { closePage, hostedPaymentRoutes, settlePage } from '#lib/simulators/flutterwave/hosted-payments.ts';
import {
  idOfFlwRef,
  isPage,
  isRefund,
  isTransaction,
  objectsOfReference,
} from '#lib/simulators/flutterwave/objects.ts';
import { settleTransaction } from '#lib/simulators/flutterwave/outcomes.ts';
import { pageRoutes } from '#lib/simulators/flutterwave/pages.ts';
import { paymentRoutes } from '#lib/simulators/flutterwave/payments.ts';
import { refundRoutes, settleRefund } from '#lib/simulators/flutterwave/refunds.ts';
import { textIn } from '#lib/simulators/flutterwave/requests.ts';
import { bearerToken, isValidKey, secretList } from '#lib/simulators/kit/account-scope.ts';
import { isDispute } from '#lib/simulators/kit/dispute-life.ts';
import { parseObject } from '#lib/simulators/kit/json.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import { pickObject } from '#lib/simulators/kit/pick-object.ts';
import type { FinalOutcome, ProviderSimulator, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { withHeaders } from '#lib/simulators/kit/wire.ts';
import { randomText } from '#shared/kernel/ids.ts';

const KEY_FORMAT = /^FLWSECK(_TEST)?-[\w-]+$/;

const identify: ProviderSimulator['identify'] = (request) => {
  const key = bearerToken(request);
  if (key === undefined) return { error: errorResponse(401, 'Authorization required') };
  if (!isValidKey(key, KEY_FORMAT)) return { error: errorResponse(401, 'Invalid authorization key') };
  return { identity: key };
};

const accountOf: ProviderSimulator['accountOf'] = ({ secret_key: identity, webhook_secret: secret }) => {
  if (typeof identity !== 'string') return undefined;
  return { identity, publicId: null, webhookSecrets: secretList(secret) };
};

/** Our payment id is in `meta` of a new object, or on the object that the request is about. */
const readRequest: ProviderSimulator['readRequest'] = (request, params, objects) => {
  const input = parseObject(request.body) ?? {};
  const flwRef = textIn(input, 'flw_ref');
  const subject =
    params.id ??
    request.query.get('tx_ref') ??
    request.query.get('id') ??
    (flwRef === null ? undefined : idOfFlwRef(flwRef));
  const paymentId =
    textIn(input, 'meta', 'payment_id') ??
    (subject === undefined ? undefined : objects.get(subject)?.paymentId) ??
    null;
  return { input, key: null, paymentId, customerId: textIn(input, 'meta', 'customer_id') };
};

/** Applies to the newest object that waits for the customer, else to a pending refund, else to the newest attempt. */
function complete(candidates: readonly StoredObject[], outcome: FinalOutcome, work: UnitOfWork): void {
  const objects = candidates.flatMap((each) =>
    each.kind === 'reference' ? objectsOfReference(work, each.id) : [each],
  );
  const target = pickObject(
    objects,
    (each) => (isTransaction(each) && each.body.status === 'pending') || (isPage(each) && each.body.status === 'open'),
    (each) => isRefund(each) && each.body.status === 'pending',
    isTransaction,
    isPage,
  );
  if (!target) return;
  if (isRefund(target)) {
    work.setWebhookMode(target.notes.webhook);
    settleRefund(work, target, outcome === 'succeeded' ? 'completed' : 'failed');
  } else if (isPage(target)) settlePage(work, target, outcome);
  else if (isTransaction(target)) settleTransaction(work, target, outcome);
}

const errors: ProviderSimulator['errors'] = {
  unknownRoute: ({ method, path }) => errorResponse(404, `Cannot ${method} ${path}`),
  tooLarge: () => errorResponse(413, 'Request entity too large'),
  rateLimited: () => errorResponse(429, 'Too many requests, please try again later'),
  serverError: () => errorResponse(500, 'An error occurred while processing your request'),
};

/** Version 3 has no idempotency keys: a repeated request is executed again. */
export const flutterwaveSimulator: ProviderSimulator = {
  provider: 'flutterwave',
  randomCredentials: (stage) => ({
    secret_key: `FLWSECK${stage === 'live' ? '' : '_TEST'}-${randomText(32)}-X`,
    webhook_secret: randomText(32),
  }),
  disputes: disputeControls,
  routes: [...paymentRoutes, ...hostedPaymentRoutes, ...refundRoutes, ...disputeRoutes, ...pageRoutes],
  errors,
  identify,
  readRequest,
  accountOf,
  webhookHeaders,
  complete,
  finishResponse: (response, { requestId }) => withHeaders(response, { 'x-request-id': requestId }),
  onDue: (object, work) => {
    if (isPage(object) && object.body.status === 'open') closePage(work, object);
    if (isDispute(object)) expireDispute(work, object);
  },
};
