import { refusal } from '#lib/local/simulators/flutterwave/answers.ts';
import { identify, settings } from '#lib/local/simulators/flutterwave/caller.ts';
import { chargeRoutes } from '#lib/local/simulators/flutterwave/charges.ts';
import { complete } from '#lib/local/simulators/flutterwave/completion.ts';
import { signWebhook } from '#lib/local/simulators/flutterwave/events.ts';
import { closePage, hostedRoutes } from '#lib/local/simulators/flutterwave/hosted.ts';
import { lookupRoutes } from '#lib/local/simulators/flutterwave/lookups.ts';
import { isPage } from '#lib/local/simulators/flutterwave/objects.ts';
import { pageRoutes } from '#lib/local/simulators/flutterwave/pages.ts';
import { read } from '#lib/local/simulators/flutterwave/reading.ts';
import { refundRoutes } from '#lib/local/simulators/flutterwave/refunds.ts';
import type { IdempotencyPolicy, ProviderSimulator } from '#lib/local/simulators/frame/provider.port.ts';
import { randomText } from '#shared/kernel/ids.ts';

/** Version 3 knows no keys: none is ever read from a request, and whatever comes twice is done twice. */
const idempotency: IdempotencyPolicy = {
  life: 0,
  fingerprint: () => '',
  keeps: () => false,
  replayed: (answer) => answer,
  mismatch: () => refusal(409, 'Conflict'),
  inUse: () => refusal(409, 'Conflict'),
};

const refusals: ProviderSimulator['refusals'] = {
  unknownRoute: ({ method, path }) => refusal(404, `Cannot ${method} ${path}`),
  tooLarge: () => refusal(413, 'Request entity too large'),
  rateLimited: () => {
    const answer = refusal(429, 'Too many requests, please try again later');
    return { ...answer, headers: { ...answer.headers, 'retry-after': '2' } };
  },
  serverError: () => refusal(500, 'An error occurred while processing your request'),
};

export const flutterwaveSimulator: ProviderSimulator = {
  provider: 'flutterwave',
  madeUpCredentials: (stage) => ({ secret_key: `FLWSECK${stage === 'live' ? '' : '_TEST'}-${randomText(32)}-X`, webhook_secret: randomText(32) }),
  routes: [...chargeRoutes, ...hostedRoutes, ...lookupRoutes, ...refundRoutes, ...pageRoutes],
  idempotency,
  refusals,
  identify,
  read,
  settings,
  signWebhook,
  complete,
  finish: (answer, { requestId }) => ({ ...answer, headers: { ...answer.headers, 'x-request-id': requestId } }),
  fallDue: (object, work) => {
    if (isPage(object) && object.body.status === 'open') closePage(work, object);
  },
};
