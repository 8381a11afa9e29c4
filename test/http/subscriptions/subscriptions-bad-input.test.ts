import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INVALID, NEVER, pathsIn, refused, verdict } from '#test/http/bad-input.support.ts';
import {
  aSubscriptionBody,
  cancel,
  create,
  INVOICES,
  resume,
  SUBSCRIPTIONS,
  show,
  subscribeLater,
  update,
} from '#test/http/subscriptions/subscriptions.support.ts';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import type { ApiResponse, Body } from '#test/support/host.ts';

let host: WatchedHost;
let made: Body;
beforeAll(async () => {
  host = await startWatchedHost();
  made = await subscribeLater(host);
});
afterAll(() => host?.close());

const CARD = '4242424242424242';
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, n]));
const method = (more: Body) => ({ payment_method: { type: 'card', ...more } });

async function isRefused(send: () => Promise<ApiResponse>, paths: readonly string[]): Promise<void> {
  const answer = await refused(host, send);
  expect(verdict(answer)).toEqual(INVALID);
  expect(pathsIn(answer).toSorted()).toEqual(paths.toSorted());
  for (const { message } of answer.body.details.fields) expect(message).toMatch(/^[A-Z]/);
}

/** Invalid in new subscriptions and in changes. */
const FAULTS: readonly (readonly [what: string, more: Body, paths: readonly string[]])[] = [
  ['a broken amount', { amount: 10.5 }, ['amount']],
  ['an amount in words', { amount: '100' }, ['amount']],
  ['a negative amount', { amount: -1 }, ['amount']],
  ['an amount of 0', { amount: 0 }, ['amount']],
  ['a huge amount', { amount: 100_000_000_000 }, ['amount']],
  ['an amount of nothing', { amount: '' }, ['amount']],
  ['an empty plan', { plan_id: '' }, ['plan_id']],
  ['a plan of 201 characters', { plan_id: 'x'.repeat(201) }, ['plan_id']],
  ['a plan that is a number', { plan_id: 7 }, ['plan_id']],
  ['NUL in a plan', { plan_id: 'a\0b' }, ['plan_id']],
  ['a method that is none', { method: 'Card!', payment_method: undefined }, ['method']],
  ['two methods', { method: 'ideal', payment_method: { type: 'card', token: 'ok' } }, ['payment_method.type']],
  ['a payment method that is text', { payment_method: 'pm_card_visa' }, ['payment_method']],
  ['a payment method of no type', { payment_method: { token: 'ok' } }, ['payment_method.type']],
  ['a token that is a number', method({ token: 7 }), ['payment_method.token']],
  ['a token of seventeen fields', method({ token: keys(17) }), ['payment_method.token']],
  ['a token of an unknown provider', method({ tokens: { stripe: 'ok', acme: 'x' } }), ['payment_method.tokens.acme']],
  ['a phone that is none', method({ phone: 'call me' }), ['payment_method.phone']],
  ['a script to come back to', method({ return_url: 'javascript:alert(1)' }), ['payment_method.return_url']],
  ['metadata that is a list', { metadata: [1] }, ['metadata']],
  ['metadata of 51 keys', { metadata: keys(51) }, ['metadata']],
  ['nested metadata', { metadata: { a: { b: 1 }, c: [1], d: null } }, ['metadata.a', 'metadata.c', 'metadata.d']],
  ['a name of 41 characters', { metadata: { ['k'.repeat(41)]: 1 } }, [`metadata.${'k'.repeat(41)}`]],
  ['a value of 501 characters', { metadata: { a: 'x'.repeat(501) } }, ['metadata.a']],
  ['an unknown field', { colour: 'red' }, ['colour']],
  [
    'what the service keeps to itself',
    { sealed_method: 'x', method_version: 9, bills_at: null },
    ['sealed_method', 'method_version', 'bills_at'],
  ],
];

describe('a new subscription', () => {
  const ONLY_NEW: typeof FAULTS = [
    ['no customer', { customer_id: undefined }, ['customer_id']],
    ['an empty customer', { customer_id: '' }, ['customer_id']],
    ['a customer of 201 characters', { customer_id: 'x'.repeat(201) }, ['customer_id']],
    ['half a character', { customer_id: '\ud800' }, ['customer_id']],
    ['no plan', { plan_id: undefined }, ['plan_id']],
    ['no amount', { amount: undefined }, ['amount']],
    ['no currency', { currency: undefined }, ['currency']],
    ['an unknown currency', { currency: 'XXX' }, ['currency']],
    ['no interval', { interval: undefined }, ['interval']],
    ['an unknown interval', { interval: 'hourly' }, ['interval']],
    ['an interval in capitals', { interval: 'MONTHLY' }, ['interval']],
    ['a beginning that is no time', { start_at: 'tomorrow' }, ['start_at']],
    ['a beginning without a time', { start_at: '2099-01-01' }, ['start_at']],
    ['a beginning on a day that is none', { start_at: '2027-02-30T00:00:00Z' }, ['start_at']],
    ['a mail address that is none', { customer_email: 'nobody' }, ['customer_email']],
    ['a country of three letters', { country: 'DEU' }, ['country']],
    ['an unknown country', { country: 'XX' }, ['country']],
    ['a status', { status: 'paused' }, ['status']],
  ];

  it.each([...FAULTS, ...ONLY_NEW])('is rejected with %s', async (_, more, paths) =>
    isRefused(() => create(host, more), paths),
  );

  it('is rejected with all invalid fields at once', () =>
    isRefused(
      () =>
        host.call('POST', SUBSCRIPTIONS, {
          amount: '1',
          currency: 'XXX',
          interval: 1,
          method: 'ideal',
          payment_method: { type: 'card', size: 2 },
          colour: 1,
        }),
      [
        'customer_id',
        'plan_id',
        'amount',
        'currency',
        'interval',
        'payment_method.size',
        'payment_method.type',
        'colour',
      ],
    ));

  it('must not contain a card number', async () => {
    const places = [
      { metadata: { card: CARD } },
      { customer_id: CARD },
      method({ token: CARD }),
      method({ return_url: `https://shop.example/?c=${CARD}` }),
    ];
    for (const more of places) {
      const answer = await refused(host, () => create(host, more));
      expect(verdict(answer)).toEqual([400, 'invalid_request', 'raw_card_data']);
      expect(answer.text).not.toContain(CARD);
    }
  });
});

describe('a change of a subscription', () => {
  const ONLY_CHANGED: typeof FAULTS = [
    ['another customer', { customer_id: 'bob' }, ['customer_id']],
    ['another currency', { currency: 'USD' }, ['currency']],
    ['another interval', { interval: 'yearly' }, ['interval']],
    ['another beginning', { start_at: '2099-01-01T00:00:00Z' }, ['start_at']],
    ['the end', { status: 'canceled' }, ['status']],
    ['a status of no text', { status: 0 }, ['status']],
    [
      'all of it',
      { amount: 0, plan_id: '', metadata: 1, status: 'gone', method: 'A', payment_method: {}, colour: 1 },
      ['amount', 'plan_id', 'metadata', 'status', 'method', 'payment_method.type', 'colour'],
    ],
  ];

  it.each([...FAULTS, ...ONLY_CHANGED])('is rejected with %s', async (_, changes, paths) => {
    await isRefused(() => update(host, made.id, changes), paths);
    expect(await show(host, made.id)).toEqual(made);
  });
});

describe('an action', () => {
  it.each<readonly [string, () => Promise<ApiResponse>, readonly string[]]>([
    ['a cancel at some time', () => cancel(host, made.id, { at_period_end: 'yes' }), ['at_period_end']],
    [
      'a cancel for a reason',
      () => cancel(host, made.id, { reason: 'none', at_period_end: 'yes' }),
      ['at_period_end', 'reason'],
    ],
    [
      'a resume of something',
      () => host.call('POST', `${SUBSCRIPTIONS}/${made.id}/resume`, { status: 'active' }),
      ['status'],
    ],
    [
      'a retry with something',
      () => host.call('POST', `${INVOICES}/inv_${NEVER}/retry`, { payment_method: { type: 'card' } }),
      ['payment_method'],
    ],
    [
      'a cancel of an invoice for a reason',
      () => host.call('POST', `${INVOICES}/inv_${NEVER}/cancel`, { reason: 'none' }),
      ['reason'],
    ],
  ])('is rejected: %s', (_, send, paths) => isRefused(send, paths));

  it.each<readonly [string, (how: { idempotencyKey: null }) => Promise<ApiResponse>]>([
    ['PATCH', (how) => update(host, made.id, { amount: 1 }, how)],
    ['cancel', (how) => cancel(host, made.id, undefined, how)],
    ['resume', (how) => resume(host, made.id, how)],
    ['retry', (how) => host.call('POST', `${INVOICES}/inv_${NEVER}/retry`, undefined, how)],
    ['cancel of an invoice', (how) => host.call('POST', `${INVOICES}/inv_${NEVER}/cancel`, undefined, how)],
  ])('needs an idempotency key: %s', async (_, send) => {
    const answer = await refused(host, () => send({ idempotencyKey: null }));
    expect(verdict(answer)).toEqual([400, 'invalid_request', 'idempotency_key_required']);
  });
});

it('accepts values at their limits', async () => {
  const edge = {
    customer_id: 'x'.repeat(200),
    plan_id: 'ü'.repeat(200),
    amount: 99_999_999_999,
    metadata: keys(50),
    interval: 'yearly',
    start_at: '2035-01-01T00:00:00+14:00',
  };
  await host.control('POST', '/clock', { set: '2034-12-31T00:00:00Z' });
  expect(await create(host, aSubscriptionBody(edge))).toMatchObject({
    status: 201,
    body: { ...edge, start_at: '2034-12-31T10:00:00.000Z' },
  });
});
