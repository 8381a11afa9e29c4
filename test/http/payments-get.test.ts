import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { itChecksCredentials, itHidesOtherPayments, itLimitsItsRate } from '#test/http/payments.support.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  anIntent,
  drain,
  faultsIn,
  operationsOf,
  pay,
  payOnPage,
  read,
} from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

describe('GET /v1/payments/{id}', () => {
  const endpoint = {
    host: () => host,
    method: 'GET',
    path: (id: string) => `/v1/payments/${id}`,
    scope: 'payments:read',
    ready: () => pay(host),
    success: 200,
  } as const;
  itChecksCredentials(endpoint);
  itHidesOtherPayments(endpoint);
  itLimitsItsRate(endpoint, 500);

  it.each([
    ['an intent', () => anIntent(host), 'created'],
    ['a payment that succeeded', () => pay(host), 'succeeded'],
    ['a failed payment', () => pay(host, 'decline_lost_card'), 'failed'],
    ['a payment with a next action', () => payOnPage(host), 'requires_action'],
    ['a payment that the provider has not settled', () => pay(host, 'pending'), 'processing'],
    ['a canceled payment', async () => (await act(host, (await anIntent(host)).id, 'cancel')).body, 'canceled'],
    ['a refunded payment', async () => (await act(host, (await pay(host)).id, 'refund')).body, 'refunded'],
  ])('returns %s as the request that changed it last did', async (_, make, status) => {
    const { client_secret: _secret, ...payment } = await make();
    const answer = await host.call('GET', `/v1/payments/${payment.id}`);
    expect([answer.status, answer.body, answer.body.status]).toEqual([200, payment, status]);
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  });

  it('calls no provider for a payment with a known outcome', async () => {
    const { id } = await pay(host, 'pending');
    await drain(host);
    const before = await operationsOf(host, id);
    await advance(host, '30s');
    await read(host, id);
    expect(await operationsOf(host, id)).toEqual(before);
  });

  it('answers 400 for a query parameter, and needs no idempotency key', async () => {
    const { id } = await pay(host);
    const answer = await host.call('GET', `/v1/payments/${id}?expand=refunds`);
    expect([answer.status, faultsIn(answer)]).toEqual([400, ['query.expand']]);
    expect((await host.call('GET', `/v1/payments/${id}`, undefined, { idempotencyKey: 'a b' })).status).toBe(200);
  });
});
