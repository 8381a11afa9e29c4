import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import { eventTypesOf } from '#test/support/payment-steps.ts';

/** Captures, cancels and callbacks at the same instant end in one state, and the provider's books agree with it. */
let host: TestHost;
const keys = new Map<Provider, string>();
const PROVIDERS = ['stripe', 'mollie'] as const;
beforeAll(async () => {
  host = await startHost({ demoProviders: [] });
  for (const provider of PROVIDERS) {
    const org = await anOrganization(host);
    await aConnection(host, org, { id: 'main', provider });
    keys.set(provider, org.key);
  }
});
afterAll(() => host?.close());

const AMOUNT = 5_000;

const keyOf = (provider: Provider): string => keys.get(provider) ?? '';

const post = (provider: Provider, path: string, body?: Body): Promise<ApiResponse> =>
  host.call('POST', path, body, { key: keyOf(provider) });

async function authorized(provider: Provider): Promise<string> {
  const payment_method = { type: 'card', token: 'ok' };
  const order = { amount: AMOUNT, currency: 'EUR', capture: 'manual', payment_method };
  const { body } = await post(provider, '/v1/payments', order);
  await host.control('POST', '/drain');
  return body.id;
}

const capture = (provider: Provider, id: string, body: Body = {}) => post(provider, `/v1/payments/${id}/capture`, body);
const cancel = (provider: Provider, id: string) => post(provider, `/v1/payments/${id}/cancel`);

async function later(provider: Provider, id: string): Promise<Body> {
  await host.control('POST', '/drain');
  return (await host.call('GET', `/v1/payments/${id}`, undefined, { key: keyOf(provider) })).body;
}

const REFUSALS: ReadonlySet<string> = new Set([
  'payment_not_capturable',
  'capture_exceeds_authorized',
  'payment_not_cancelable',
  'outcome_unknown',
]);

function verifyAnswers(answers: readonly (ApiResponse | undefined)[]): void {
  for (const answer of answers)
    if (answer && answer.status !== 200)
      expect([answer.status < 500, REFUSALS.has(answer.body.code)]).toEqual([true, true]);
}

/** What the payment says is what the provider has taken, given back and still holds. Returns its status. */
async function verifyEnd(provider: Provider, id: string): Promise<string> {
  const payment = await later(provider, id);
  const {
    authorized: held = 0,
    captured = 0,
    released = 0,
    count,
  } = host.simulators.calls({ payment_id: id }).holds?.[id] ?? {};
  const taken = payment.captures.filter(({ status }: Body) => status === 'succeeded');
  const sum = taken.reduce((total: number, { amount }: Body) => total + amount, 0);
  expect([count, captured, payment.captured_amount]).toEqual([1, sum, sum]);
  expect([payment.review, payment.captures.some(({ status }: Body) => status === 'pending')]).toEqual([null, false]);
  if (payment.status === 'authorized') expect([held - captured, released]).toEqual([AMOUNT - sum, 0]);
  else expect([held - captured - released, payment.released_amount]).toEqual([0, AMOUNT - sum]);
  expect(payment.status === 'canceled').toBe(payment.status !== 'authorized' && sum === 0);
  const types = await eventTypesOf(host, id, { key: keyOf(provider) });
  const countOf = (type: string) => types.filter((each) => each === type).length;
  expect([countOf('captured'), countOf('succeeded'), countOf('canceled')]).toEqual([
    taken.length,
    Number(payment.status === 'succeeded'),
    Number(payment.status === 'canceled'),
  ]);
  return payment.status;
}

describe.each(PROVIDERS)('captures at %s at the same time', (provider) => {
  it('of a tenth each, twenty of them, take no more than was authorized', async () => {
    const id = await authorized(provider);
    const part = { amount: AMOUNT / 10, final: false };
    const answers = await Promise.all(Array.from({ length: 20 }, () => capture(provider, id, part)));
    verifyAnswers(answers);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(await verifyEnd(provider, id)).toBe('succeeded');
    expect((await later(provider, id)).captured_amount).toBe(AMOUNT);
  });

  it('of the whole amount, twenty of them, take it once', async () => {
    const id = await authorized(provider);
    const answers = await Promise.all(Array.from({ length: 20 }, () => capture(provider, id)));
    verifyAnswers(answers);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await verifyEnd(provider, id)).toBe('succeeded');
  });

  it('beside a cancel end in one state, and the provider agrees', async () => {
    const ends = new Set<string>();
    for (let n = 0; n < 12; n += 1) {
      const id = await authorized(provider);
      const steps = [
        () => capture(provider, id, n % 3 === 0 ? { amount: 2_000 } : {}),
        () => cancel(provider, id),
        ...(n % 4 === 0 ? [() => capture(provider, id, { amount: 1_000, final: false })] : []),
      ];
      verifyAnswers(await Promise.all((n % 2 === 0 ? steps : steps.toReversed()).map((step) => step())));
      ends.add(await verifyEnd(provider, id));
    }
    expect([...ends].filter((end) => !['succeeded', 'canceled'].includes(end))).toEqual([]);
  });

  it('beside what the merchant does in the dashboard end in one state, and the provider agrees', async () => {
    for (let n = 0; n < 12; n += 1) {
      const id = await authorized(provider);
      const dashboard = async () => {
        if (n % 2 === 0) host.simulators.captureInDashboard(provider, id, 1_500, n % 4 === 0);
        else host.simulators.voidInDashboard(provider, id);
        return undefined;
      };
      const ours =
        n % 3 === 0 ? () => cancel(provider, id) : () => capture(provider, id, { amount: 2_000, final: n % 3 === 1 });
      const steps = n % 4 < 2 ? [dashboard, ours] : [ours, dashboard];
      verifyAnswers(await Promise.all(steps.map((step) => step())));
      await verifyEnd(provider, id);
    }
  });
});
