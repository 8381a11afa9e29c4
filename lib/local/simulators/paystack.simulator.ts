import { createHmac } from 'node:crypto';
import type { IdempotencyPolicy, ProviderSimulator } from '#lib/local/simulators/frame/provider.port.ts';
import { errorAnswer } from '#lib/local/simulators/paystack/answers.ts';
import { identify, read, settings } from '#lib/local/simulators/paystack/caller.ts';
import { chargeRoutes } from '#lib/local/simulators/paystack/charges.ts';
import { complete } from '#lib/local/simulators/paystack/completion.ts';
import { pageRoutes } from '#lib/local/simulators/paystack/pages.ts';
import { refundRoutes } from '#lib/local/simulators/paystack/refunds.ts';
import { transactionRoutes } from '#lib/local/simulators/paystack/transactions.ts';
import { randomText } from '#shared/kernel/ids.ts';

/** Paystack knows no idempotency keys: a transaction's reference is unique, and nothing guards a refund. No call is read as having one. */
const idempotency: IdempotencyPolicy = {
  life: 0,
  fingerprint: () => '',
  keeps: () => false,
  replayed: (answer) => answer,
  mismatch: () => errorAnswer(400, { message: 'There are no keys here' }),
  inUse: () => errorAnswer(409, { message: 'There are no keys here' }),
};

const refusals: ProviderSimulator['refusals'] = {
  unknownRoute: () => errorAnswer(404, { message: 'Entity not found' }),
  tooLarge: () => errorAnswer(413, { message: 'Request entity too large' }),
  rateLimited: () => {
    const answer = errorAnswer(429, { message: 'You have exceeded the number of requests allowed', code: 'rate_limited', type: 'api_error' });
    return { ...answer, headers: { ...answer.headers, 'retry-after': '2' } };
  },
  serverError: () => errorAnswer(500, { message: 'An error occurred', code: 'unknown', type: 'api_error' }),
};

export const paystackSimulator: ProviderSimulator = {
  provider: 'paystack',
  madeUpCredentials: (stage) => ({ secret_key: `sk_${stage === 'live' ? 'live' : 'test'}_${randomText(40)}` }),
  routes: [...transactionRoutes, ...chargeRoutes, ...refundRoutes, ...pageRoutes],
  idempotency,
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
