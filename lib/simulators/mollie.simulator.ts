import type { IdempotencyPolicy, ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';
import { withHeaders } from '#lib/simulators/frame/wire.ts';
import { callbackHeaders } from '#lib/simulators/mollie/callbacks.ts';
import { identify, read, settings } from '#lib/simulators/mollie/caller.ts';
import { complete, fallDue } from '#lib/simulators/mollie/completion.ts';
import { errorAnswer } from '#lib/simulators/mollie/errors.ts';
import { pageRoutes } from '#lib/simulators/mollie/pages.ts';
import { paymentRoutes } from '#lib/simulators/mollie/payments.ts';
import { profileRoutes } from '#lib/simulators/mollie/profile.ts';
import { refundRoutes } from '#lib/simulators/mollie/refunds.ts';
import { HOUR } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';

/**
 * A repeated key returns the first call's answer, whatever the request. Where Mollie's documentation is unclear, the
 * stricter reading applies: keys live for an hour only, and errors at Mollie (5xx) are not stored.
 */
const idempotency: IdempotencyPolicy = {
  life: () => HOUR,
  fingerprint: ({ method, path }) => `${method} ${path}`,
  keeps: ({ status }) => status < 500,
  mismatch: () => errorAnswer(409, 'The idempotency key was used for another request'),
  inUse: () => errorAnswer(409, 'A request with this idempotency key is being processed'),
};

const refusals: ProviderSimulator['refusals'] = {
  unknownRoute: () => errorAnswer(404, 'The requested resource does not exist'),
  tooLarge: () => errorAnswer(413, 'The request is too large'),
  rateLimited: () => errorAnswer(429, 'You have exceeded the rate limit. Please slow down your requests.'),
  serverError: () => errorAnswer(500, 'An unexpected error occurred', undefined, false),
};

export const mollieSimulator: ProviderSimulator = {
  provider: 'mollie',
  madeUpCredentials: (stage) => ({
    api_key: `${stage === 'live' ? 'live' : 'test'}_${randomText(30)}`,
    webhook_secret: randomText(32),
  }),
  routes: [...paymentRoutes, ...refundRoutes, ...profileRoutes, ...pageRoutes],
  idempotency,
  refusals,
  identify,
  read,
  settings,
  signWebhook: callbackHeaders,
  complete,
  finish: (answer, { requestId }) => withHeaders(answer, { 'x-request-id': requestId }),
  fallDue,
};
