import { pathAndBody } from '#lib/simulators/frame/idempotency.ts';
import type { IdempotencyPolicy, ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';
import { identify, read, settings } from '#lib/simulators/razorpay/caller.ts';
import { complete } from '#lib/simulators/razorpay/completion.ts';
import { plainError } from '#lib/simulators/razorpay/errors.ts';
import { signedHeaders } from '#lib/simulators/razorpay/events.ts';
import { expireLink, linkRoutes } from '#lib/simulators/razorpay/links.ts';
import { isLink, isPayment } from '#lib/simulators/razorpay/objects.ts';
import { orderRoutes } from '#lib/simulators/razorpay/orders.ts';
import { lapse } from '#lib/simulators/razorpay/outcomes.ts';
import { pageRoutes } from '#lib/simulators/razorpay/pages.ts';
import { paymentRoutes } from '#lib/simulators/razorpay/payments.ts';
import { refundRoutes } from '#lib/simulators/razorpay/refunds.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';

/** Refunds alone have a key. How long it is kept is not told. */
const idempotency: IdempotencyPolicy = {
  life: () => DAY,
  fingerprint: pathAndBody,
  keeps: ({ status }) => status === 200,
  mismatch: () => plainError(400, 'Different request with the same idempotency key has already been processed.'),
  inUse: () => plainError(409, 'A request with the same idempotency key is being processed.'),
};

export const razorpaySimulator: ProviderSimulator = {
  provider: 'razorpay',
  madeUpCredentials: (stage) => ({
    key_id: `rzp_${stage === 'live' ? 'live' : 'test'}_${randomText(14)}`,
    key_secret: randomText(24),
    webhook_secret: randomText(32),
  }),
  routes: [...orderRoutes, ...paymentRoutes, ...linkRoutes, ...refundRoutes, ...pageRoutes],
  idempotency,
  refusals: {
    unknownRoute: () => plainError(404, 'The requested URL was not found on the server.'),
    tooLarge: () => plainError(413, 'The request is too large.'),
    rateLimited: () => plainError(429, 'Request failed. Please try after sometime.'),
    serverError: () =>
      plainError(500, 'We are facing some trouble completing your request at the moment. Please try again shortly.', {
        code: 'SERVER_ERROR',
      }),
  },
  identify,
  read,
  settings,
  signWebhook: signedHeaders,
  complete,
  finish: (answer) => answer,
  fallDue: (object, work) => {
    if (isLink(object) && object.body.status === 'created') expireLink(work, object);
    if (isPayment(object)) lapse(work, object);
  },
};
