import { errorAnswer, wordless } from '#lib/simulators/checkout/answers.ts';
import { identify, read, settings } from '#lib/simulators/checkout/caller.ts';
import { complete } from '#lib/simulators/checkout/completion.ts';
import { signedHeaders } from '#lib/simulators/checkout/events.ts';
import { expirePage, hostedRoutes } from '#lib/simulators/checkout/hosted.ts';
import { isPage } from '#lib/simulators/checkout/objects.ts';
import { pageRoutes } from '#lib/simulators/checkout/pages.ts';
import { paymentRoutes } from '#lib/simulators/checkout/payments.ts';
import { refundRoutes } from '#lib/simulators/checkout/refunds.ts';
import { pathAndBody } from '#lib/simulators/frame/idempotency.ts';
import type { IdempotencyPolicy, ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';

/**
 * Only successful answers are kept; after any other the request is executed again. The answer to a key with another
 * request, or to one in use, is not documented: both are refused here, so that such a mistake is noticed.
 */
const idempotency: IdempotencyPolicy = {
  life: () => DAY,
  fingerprint: pathAndBody,
  keeps: ({ status }) => status >= 200 && status < 300,
  mismatch: () => errorAnswer(422, ['idempotency_key_mismatch']),
  inUse: () => errorAnswer(409, ['duplicate_request']),
};

const refusals: ProviderSimulator['refusals'] = {
  unknownRoute: () => wordless(404),
  tooLarge: () => wordless(413),
  rateLimited: () => errorAnswer(429, ['api_calls_quota_exceeded'], 'request_rejected'),
  serverError: () => wordless(500),
};

export const checkoutSimulator: ProviderSimulator = {
  provider: 'checkout',
  madeUpCredentials: (stage) => ({
    secret_key: `sk_${stage === 'live' ? '' : 'sbox_'}${randomText(27)}`,
    processing_channel_id: `pc_${randomText(26)}`,
    host_prefix: 'demo1234',
    webhook_secret: randomText(36),
    default_country: 'GB',
  }),
  routes: [...paymentRoutes, ...refundRoutes, ...hostedRoutes, ...pageRoutes],
  idempotency,
  refusals,
  identify,
  read,
  settings,
  signWebhook: signedHeaders,
  complete,
  finish: (answer, { requestId }) => ({
    ...answer,
    headers: { ...answer.headers, 'cko-request-id': requestId, 'cko-version': '3.34.5' },
    body: answer.body.replace('{request_id}', requestId),
  }),
  fallDue: (object, work) => {
    if (isPage(object)) expirePage(work, object);
  },
};
