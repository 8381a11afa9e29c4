import { createHash } from 'node:crypto';
import type { IdempotencyPolicy, ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';
import { withHeaders } from '#lib/simulators/frame/wire.ts';
import { accountRoutes } from '#lib/simulators/stripe/account.ts';
import { identify, settings } from '#lib/simulators/stripe/caller.ts';
import { complete } from '#lib/simulators/stripe/completion.ts';
import { errorAnswer } from '#lib/simulators/stripe/errors.ts';
import { signedHeaders } from '#lib/simulators/stripe/events.ts';
import { API_VERSION, isSession } from '#lib/simulators/stripe/objects.ts';
import { pageRoutes } from '#lib/simulators/stripe/pages.ts';
import { paymentIntentRoutes } from '#lib/simulators/stripe/payment-intents.ts';
import { read } from '#lib/simulators/stripe/reading.ts';
import { refundRoutes } from '#lib/simulators/stripe/refunds.ts';
import { expireSession } from '#lib/simulators/stripe/session-outcomes.ts';
import { sessionRoutes } from '#lib/simulators/stripe/sessions.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';

const SAME_PARAMETERS =
  'Keys for idempotent requests can only be used with the same parameters they were first used with.';

/** Executed requests are stored, a 402 and a 500 too; rejected ones are not. */
const idempotency: IdempotencyPolicy = {
  life: () => DAY,
  fingerprint: ({ path, body }) => {
    const pairs = [...new URLSearchParams(body)].map(([name, value]) => JSON.stringify([name, value]));
    return createHash('sha256')
      .update([path, ...pairs.sort()].join('\n'))
      .digest('hex');
  },
  keeps: () => true,
  replayed: (answer) =>
    withHeaders(answer, { 'original-request': answer.headers['request-id'] ?? '', 'idempotent-replayed': 'true' }),
  mismatch: (key) => {
    const message = `${SAME_PARAMETERS} Try using a key other than '${key}' if you meant to execute a different request.`;
    return errorAnswer(400, { message, type: 'idempotency_error' });
  },
  inUse: () => {
    const message =
      'There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through). Please try again later.';
    return errorAnswer(409, {
      code: 'idempotency_key_in_use',
      doc_url: 'https://stripe.com/docs/error-codes/idempotency-key-in-use',
      message,
      type: 'idempotency_error',
    });
  },
};

const refusals: ProviderSimulator['refusals'] = {
  unknownRoute: ({ method, path }) =>
    errorAnswer(404, { message: `Unrecognized request URL (${method}: ${path}).`, type: 'invalid_request_error' }),
  tooLarge: () => errorAnswer(413, { message: 'Request entity too large.', type: 'invalid_request_error' }),
  rateLimited: () =>
    errorAnswer(429, { code: 'rate_limit', message: 'Request rate limit exceeded.', type: 'invalid_request_error' }),
  serverError: () => errorAnswer(500, { message: 'An unknown error occurred.', type: 'api_error' }, false),
};

/** Whether a retry may help; Stripe omits it after success, and where it does not know. */
function shouldRetry(status: number): Readonly<Record<string, string>> {
  if (status === 409 || status === 429) return { 'stripe-should-retry': 'true' };
  return status >= 400 && status < 500 ? { 'stripe-should-retry': 'false' } : {};
}

export const stripeSimulator: ProviderSimulator = {
  provider: 'stripe',
  madeUpCredentials: (stage) => ({
    secret_key: `sk_${stage === 'live' ? 'live' : 'test'}_${randomText(40)}`,
    webhook_secret: `whsec_${randomText(32)}`,
  }),
  routes: [...paymentIntentRoutes, ...refundRoutes, ...sessionRoutes, ...accountRoutes, ...pageRoutes],
  idempotency,
  refusals,
  identify,
  read,
  settings,
  signWebhook: signedHeaders,
  complete,
  finish: (answer, { request, requestId, key }) => {
    const version = request.headers['stripe-version'];
    const told = {
      'request-id': `req_${requestId}`,
      'stripe-version': typeof version === 'string' ? version : API_VERSION,
    };
    return withHeaders(answer, {
      ...told,
      ...(key !== null && { 'idempotency-key': key }),
      ...shouldRetry(answer.status),
    });
  },
  fallDue: (object, work) => {
    if (isSession(object) && object.body.status === 'open') expireSession(work, object);
  },
};
