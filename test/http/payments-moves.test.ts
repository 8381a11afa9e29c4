import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import {
  type Action,
  act,
  advance,
  anIntent,
  arrange,
  aShop,
  askProvider,
  callsAbout,
  complete,
  drain,
  eventsOf,
  moneyOf,
  pay,
  payOnPage,
  read,
  type Shop,
} from '#test/support/payment-steps.ts';

/** Every action in every state of a payment: its response, and that a refusal changes nothing. */
let host: TestHost;
let shop: Shop;
const how = () => ({ key: shop.key });
const readPayment = (id: string) => read(host, id, how());
const withoutCallback = (behaviour: string, more = {}) => arrange(host, behaviour, { webhook: 'none', ...more });
const declinesRefund = () => arrange(host, 'decline:card_declined', { match: { operation: 'refund' } });

const chargedAgain = async ({ id }: Body, amount: string): Promise<Body> => {
  const names = { 'metadata[org_id]': shop.org_id, 'metadata[connection_id]': 'a', 'metadata[payment_id]': id };
  const paying = {
    amount,
    currency: 'eur',
    confirm: 'true',
    payment_method: 'ok',
    return_url: 'https://shop.example/',
  };
  await askProvider(host, shop.credentials.a!.secret_key, 'POST', '/v1/payment_intents', { ...paying, ...names });
  await drain(host);
  return readPayment(id);
};
const refunded = async (amount?: number) =>
  (await act(host, (await pay(host, 'ok', {}, how())).id, 'refund', amount && { amount }, how())).body;
const canceled = async (id: string) => (await act(host, id, 'cancel', undefined, how())).body;

/** States that take a week to reach are prepared first, one for each action. */
const WEEK_LATER: Record<string, () => Promise<Body>> = {
  'in review, charge without a verdict': async () => {
    await withoutCallback('http_500');
    return pay(host, 'ok', {}, how());
  },
  'in review, refund without a verdict': async () => {
    const { id } = await pay(host, 'ok', {}, how());
    await withoutCallback('http_500', { times: 1_000, match: { operation: 'refund' } });
    return (await act(host, id, 'refund', { amount: 2_000 }, how())).body;
  },
};

const AT_ONCE: Record<string, () => Promise<Body>> = {
  created: () => anIntent(host, 'ok', {}, how()),
  'processing, accepted': () => pay(host, 'pending', {}, how()),
  'processing, unknown': async () => {
    await withoutCallback('garbage');
    return pay(host, 'ok', {}, how());
  },
  requires_action: () => pay(host, 'needs_3ds', {}, how()),
  authorized: () => pay(host, 'ok', { capture: 'manual' }, how()),
  succeeded: () => pay(host, 'ok', {}, how()),
  'succeeded, partly refunded': () => refunded(2_000),
  refunded: () => refunded(),
  'failed, retryable': () => pay(host, 'decline_insufficient_funds', {}, how()),
  'failed, final': () => pay(host, 'decline_lost_card', {}, how()),
  canceled: async () => canceled((await anIntent(host, 'ok', {}, how())).id),
  'in review, wrong amount charged': async () => {
    await arrange(host, 'wrong_amount');
    return pay(host, 'ok', {}, how());
  },
  'in review, wrong amount charged on the page': async () => {
    await arrange(host, 'wrong_amount');
    const { id } = await payOnPage(host, {}, how());
    await complete(host, id, 'succeeded');
    return readPayment(id);
  },
  'in review, wrong amount charged after it had failed': async () =>
    chargedAgain(await pay(host, 'decline_insufficient_funds', {}, how()), '700'),
  'in review, second charge not refunded': async () => {
    const paid = await pay(host, 'ok', {}, how());
    await declinesRefund();
    return chargedAgain(paid, '5000');
  },
  'in review, money after a cancel not refunded': async () => {
    const { id } = await canceled((await pay(host, 'needs_3ds', {}, how())).id);
    await declinesRefund();
    await complete(host, id, 'succeeded');
    return readPayment(id);
  },
};

/** A refusal, or the payment afterwards: its status and the reason of its review. */
type Cell = string;
const NO: Record<Action, Cell> = {
  confirm: '409 payment_not_confirmable',
  retry: '409 payment_not_retryable',
  capture: '409 payment_not_capturable',
  cancel: '409 payment_not_cancelable',
  refund: '409 payment_not_refundable',
};
const UNKNOWN = '409 outcome_unknown';

const TABLE: readonly (readonly [state: string, begins: Cell, moves: Partial<Record<Action, Cell>>])[] = [
  ['created', 'created', { confirm: 'succeeded', cancel: 'canceled' }],
  ['processing, accepted', 'processing', { cancel: 'canceled' }],
  [
    'processing, unknown',
    'processing',
    { confirm: UNKNOWN, retry: UNKNOWN, capture: UNKNOWN, cancel: UNKNOWN, refund: UNKNOWN },
  ],
  ['requires_action', 'requires_action', { confirm: 'requires_action', cancel: 'canceled' }],
  ['authorized', 'authorized', { capture: 'succeeded', cancel: 'canceled' }],
  ['succeeded', 'succeeded', { refund: 'refunded' }],
  ['succeeded, partly refunded', 'succeeded', { refund: 'refunded' }],
  ['refunded', 'refunded', {}],
  ['failed, retryable', 'failed', { retry: 'succeeded' }],
  ['failed, final', 'failed', {}],
  ['canceled', 'canceled', {}],
  ['in review, charge without a verdict', 'processing no_verdict', { cancel: 'canceled' }],
  ['in review, wrong amount charged', 'processing amount_mismatch', { cancel: 'canceled' }],
  ['in review, wrong amount charged on the page', 'processing amount_mismatch', { cancel: 'canceled' }],
  ['in review, wrong amount charged after it had failed', 'failed amount_mismatch', { cancel: 'failed' }],
  [
    'in review, refund without a verdict',
    'succeeded no_verdict',
    { refund: 'succeeded no_verdict', cancel: 'succeeded' },
  ],
  [
    'in review, second charge not refunded',
    'succeeded refund_failed',
    { refund: 'refunded refund_failed', cancel: 'succeeded' },
  ],
  ['in review, money after a cancel not refunded', 'canceled refund_failed', { cancel: 'canceled' }],
];

const ACTIONS: readonly Action[] = ['confirm', 'retry', 'capture', 'cancel', 'refund'];
const BODIES: Partial<Record<Action, Body>> = { retry: { payment_method: { type: 'card', token: 'ok' } } };
const stateOf = ({ status, review }: Body): Cell => (review ? `${status} ${review.reason}` : status);
const ready: Record<string, Body[]> = {};

beforeAll(async () => {
  host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS });
  shop = await aShop(host, { a: {} });
  for (const [state, make] of Object.entries(WEEK_LATER)) {
    ready[state] = [];
    for (const _ of ACTIONS) ready[state].push(await make());
  }
  await advance(host, '8d');
  for (const made of Object.values(ready)) for (const [n, { id }] of made.entries()) made[n] = await readPayment(id);
});
afterAll(() => host.close());

async function traceOf(payment: Body): Promise<object> {
  const [told, asked, money] = [
    await eventsOf(host, payment.id, how()),
    await callsAbout(host, payment.id),
    await moneyOf(host, payment.id),
  ];
  return { payment: await readPayment(payment.id), told: told.map(({ id }) => id), asked, money };
}

describe.each(TABLE)('a payment that is %s', (state, begins, moves) => {
  it.each(ACTIONS.map((action) => [action, moves[action] ?? NO[action]] as const))(
    '%s: %s',
    async (action, expected) => {
      const payment = ready[state]?.pop() ?? (await AT_ONCE[state]!());
      await host.control('DELETE', '/psp/scenario');
      expect(stateOf(payment)).toBe(begins);
      const before = await traceOf(payment);
      const { status, body } = await act(host, payment.id, action, BODIES[action], how());
      if (expected.startsWith('409')) {
        expect([`${status} ${body.code}`, body.error, await traceOf(payment)]).toEqual([expected, 'conflict', before]);
        return;
      }
      expect([status, stateOf(body), body], JSON.stringify(body)).toEqual([
        200,
        expected,
        await readPayment(payment.id),
      ]);
    },
  );
});
