import { createHmac } from 'node:crypto';
import type { ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';
import { errorAnswer } from '#lib/simulators/paystack/answers.ts';
import { identify, read, settings } from '#lib/simulators/paystack/caller.ts';
import { chargeRoutes } from '#lib/simulators/paystack/charges.ts';
import { complete } from '#lib/simulators/paystack/completion.ts';
import { pageRoutes } from '#lib/simulators/paystack/pages.ts';
import { refundRoutes } from '#lib/simulators/paystack/refunds.ts';
import { transactionRoutes } from '#lib/simulators/paystack/transactions.ts';
import { randomText } from '#shared/kernel/ids.ts';

const refusals: ProviderSimulator['refusals'] = {
  unknownRoute: () => errorAnswer(404, { message: 'Entity not found' }),
  tooLarge: () => errorAnswer(413, { message: 'Request entity too large' }),
  rateLimited: () =>
    errorAnswer(429, {
      message: 'You have exceeded the number of requests allowed',
      code: 'rate_limited',
      type: 'api_error',
    }),
  serverError: () => errorAnswer(500, { message: 'An error occurred', code: 'unknown', type: 'api_error' }),
};

/** Paystack knows no idempotency keys: a transaction's reference is unique, and nothing guards a refund. */
export const paystackSimulator: ProviderSimulator = {
  provider: 'paystack',
  madeUpCredentials: (stage) => ({ secret_key: `sk_${stage === 'live' ? 'live' : 'test'}_${randomText(40)}` }),
  routes: [...transactionRoutes, ...chargeRoutes, ...refundRoutes, ...pageRoutes],
  refusals,
  identify,
  read,
  settings,
  /** With the account's secret key, over the bytes that are sent. */
  signWebhook: (body, [secret = '']) => ({
    'content-type': 'application/json',
    'user-agent': 'Paystack/2.0',
    'x-paystack-signature': createHmac('sha512', secret).update(body).digest('hex'),
  }),
  complete,
  finish: (answer) => answer,
  fallDue: () => {},
};
