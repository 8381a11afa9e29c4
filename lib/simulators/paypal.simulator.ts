import { pathAndBody } from '#lib/simulators/frame/idempotency.ts';
import type { IdempotencyPolicy, ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';
import { withHeaders } from '#lib/simulators/frame/wire.ts';
import { read } from '#lib/simulators/paypal/api.ts';
import { AUTHORITY, certificateRoute, signedHeaders } from '#lib/simulators/paypal/certificates.ts';
import { complete } from '#lib/simulators/paypal/completion.ts';
import { errorAnswer } from '#lib/simulators/paypal/errors.ts';
import { orderRoutes } from '#lib/simulators/paypal/orders.ts';
import { pageRoutes } from '#lib/simulators/paypal/pages.ts';
import { refundRoutes } from '#lib/simulators/paypal/refunds.ts';
import { identify, loginRoute, settings } from '#lib/simulators/paypal/tokens.ts';
import { webhookRoutes } from '#lib/simulators/paypal/webhooks.ts';
import { DAY, HOUR } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';

/**
 * Executed requests are stored, a declined capture too; rejected ones, and PayPal's own failures, are not. Keys of the
 * orders API live for 6 hours, those of the payments API (captures and refunds) for 45 days. The answer to a key with
 * another body is not documented.
 */
const idempotency: IdempotencyPolicy = {
  life: ({ path }) => (path.startsWith('/v2/checkout/') ? 6 * HOUR : 45 * DAY),
  fingerprint: pathAndBody,
  keeps: ({ status }) => status < 500,
  replayed: (answer) => ({ ...answer, status: answer.status === 201 ? 200 : answer.status }),
  mismatch: () =>
    errorAnswer(422, [
      { issue: 'DUPLICATE_REQUEST_ID', description: 'The value of PayPal-Request-Id header has already been used.' },
    ]),
  inUse: () =>
    errorAnswer(409, [
      {
        issue: 'PREVIOUS_REQUEST_IN_PROGRESS',
        description: 'A previous request on this resource is currently in progress.',
      },
    ]),
};

const refusals: ProviderSimulator['refusals'] = {
  unknownRoute: () => errorAnswer(404),
  tooLarge: () => ({ ...errorAnswer(400), status: 413 }),
  rateLimited: () => errorAnswer(429),
  serverError: () => errorAnswer(500),
};

export const paypalSimulator: ProviderSimulator = {
  provider: 'paypal',
  madeUpCredentials: () => ({
    client_id: `A${randomText(79)}`,
    client_secret: `E${randomText(79)}`,
    webhook_secret: randomText(17).toUpperCase(),
  }),
  root: AUTHORITY,
  routes: [loginRoute, ...orderRoutes, ...refundRoutes, ...webhookRoutes, certificateRoute, ...pageRoutes],
  idempotency,
  refusals,
  identify,
  read,
  settings,
  signWebhook: signedHeaders,
  complete,
  finish: (answer, { requestId }) => withHeaders(answer, { 'paypal-debug-id': requestId }),
  // How long an unapproved order lives is not documented: it stays.
  fallDue: () => {},
};
