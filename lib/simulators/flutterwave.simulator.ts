import { refusal } from '#lib/simulators/flutterwave/answers.ts';
import { identify, settings } from '#lib/simulators/flutterwave/caller.ts';
import { chargeRoutes } from '#lib/simulators/flutterwave/charges.ts';
import { complete } from '#lib/simulators/flutterwave/completion.ts';
import { signWebhook } from '#lib/simulators/flutterwave/events.ts';
import { closePage, hostedRoutes } from '#lib/simulators/flutterwave/hosted.ts';
import { lookupRoutes } from '#lib/simulators/flutterwave/lookups.ts';
import { isPage } from '#lib/simulators/flutterwave/objects.ts';
import { pageRoutes } from '#lib/simulators/flutterwave/pages.ts';
import { read } from '#lib/simulators/flutterwave/reading.ts';
import { refundRoutes } from '#lib/simulators/flutterwave/refunds.ts';
import type { ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';
import { withHeaders } from '#lib/simulators/frame/wire.ts';
import { randomText } from '#shared/kernel/ids.ts';

const refusals: ProviderSimulator['refusals'] = {
  unknownRoute: ({ method, path }) => refusal(404, `Cannot ${method} ${path}`),
  tooLarge: () => refusal(413, 'Request entity too large'),
  rateLimited: () => refusal(429, 'Too many requests, please try again later'),
  serverError: () => refusal(500, 'An error occurred while processing your request'),
};

/** Version 3 has no idempotency keys: a repeated request is executed again. */
export const flutterwaveSimulator: ProviderSimulator = {
  provider: 'flutterwave',
  madeUpCredentials: (stage) => ({
    secret_key: `FLWSECK${stage === 'live' ? '' : '_TEST'}-${randomText(32)}-X`,
    webhook_secret: randomText(32),
  }),
  routes: [...chargeRoutes, ...hostedRoutes, ...lookupRoutes, ...refundRoutes, ...pageRoutes],
  refusals,
  identify,
  read,
  settings,
  signWebhook,
  complete,
  finish: (answer, { requestId }) => withHeaders(answer, { 'x-request-id': requestId }),
  fallDue: (object, work) => {
    if (isPage(object) && object.body.status === 'open') closePage(work, object);
  },
};
