import { accountRoutes } from '#lib/simulators/adyen/account.ts';
import { errorAnswer } from '#lib/simulators/adyen/answers.ts';
import { identify, read, settings } from '#lib/simulators/adyen/caller.ts';
import { complete } from '#lib/simulators/adyen/completion.ts';
import { signed, webhookHeaders } from '#lib/simulators/adyen/events.ts';
import { expireLink, linkRoutes } from '#lib/simulators/adyen/links.ts';
import { modificationRoutes } from '#lib/simulators/adyen/modifications.ts';
import { isLink } from '#lib/simulators/adyen/objects.ts';
import { pageRoutes } from '#lib/simulators/adyen/pages.ts';
import { paymentRoutes } from '#lib/simulators/adyen/payments.ts';
import { pathAndBody } from '#lib/simulators/frame/idempotency.ts';
import type { IdempotencyPolicy, ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';
import { withHeaders } from '#lib/simulators/frame/wire.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';

const transient = (answer: WireAnswer): WireAnswer => ({
  ...withHeaders(answer, { 'transient-error': 'true' }),
  turnedAway: true,
});

const processed = (): WireAnswer => errorAnswer(422, '704', 'request already processed or in progress');

/**
 * Answers to executed requests are kept; failures on the way are marked as worth a retry with the same key. The answer
 * to a key with another request is not documented: 704 here, so that such a mistake is noticed.
 */
const idempotency: IdempotencyPolicy = {
  life: () => 7 * DAY,
  fingerprint: pathAndBody,
  keeps: ({ status }) => status < 400,
  mismatch: processed,
  inUse: () => transient(processed()),
};

const refusals: ProviderSimulator['refusals'] = {
  unknownRoute: () => errorAnswer(404, '000', 'HTTP Status Response - Not Found'),
  tooLarge: () => errorAnswer(413, '000', 'HTTP Status Response - Payload Too Large'),
  rateLimited: () => errorAnswer(429, '000', 'HTTP Status Response - Too Many Requests'),
  serverError: () => transient(errorAnswer(500, '903', 'Internal error', 'internal')),
};

export const adyenSimulator: ProviderSimulator = {
  provider: 'adyen',
  madeUpCredentials: (stage) => ({
    api_key: `AQE${randomText(60)}`,
    merchant_account: 'DemoShopECOM',
    webhook_secret: Buffer.from(randomText(32)).toString('hex'),
    ...(stage === 'live' && { live_endpoint_url_prefix: 'demo1234-demoshop' }),
  }),
  routes: [...paymentRoutes, ...modificationRoutes, ...linkRoutes, ...accountRoutes, ...pageRoutes],
  idempotency,
  refusals,
  identify,
  read,
  settings,
  dressWebhook: signed,
  signWebhook: webhookHeaders,
  complete,
  finish: (answer, { requestId, key }) =>
    withHeaders(answer, { pspreference: requestId.toUpperCase(), ...(key !== null && { 'idempotency-key': key }) }),
  fallDue: (object, work) => {
    if (isLink(object)) expireLink(work, object);
  },
};
