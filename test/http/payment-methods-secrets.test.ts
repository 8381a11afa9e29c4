import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { UnsealError } from '#shared/ports/vault.port.ts';
import { openTokens } from '#shared/services/payment-methods/method-tokens.service.ts';
import { filesIn, leaksOf } from '#test/faults/canary.support.ts';
import { invoicesOf, subscribe } from '#test/http/subscriptions/subscriptions.support.ts';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { storedInEmulator } from '#test/support/emulated-items.ts';
import type { ApiResponse, Body } from '#test/support/host.ts';
import { advance } from '#test/support/payment-steps.ts';

const SECRETS = {
  'token given': 'cus_CanarySavedCard9Qr4',
  'token replaced': 'cus_CanaryOtherToken2Wm7',
  'token beside': 'cus_CanaryFurther6Hx1',
  'token refused': 'tok_CanarySingleUse8Yb3',
} as const;

let host: WatchedHost;
beforeAll(async () => {
  host = await startWatchedHost();
});
afterAll(() => host?.close());

const stripe = (customer: string): Body => ({ stripe: { payment_method: 'pm_card_visa', customer } });
const answers: string[] = [];
async function ask(method: string, path: string, body?: Body): Promise<ApiResponse> {
  const reply = await host.call(method, path, body);
  answers.push(reply.text);
  return reply;
}

/** The provider's simulator stores its own customers in plain text. */
const PROVIDERS_OWN = /in sandbox\S*-simulators/;

it('no answer, event, log line or stored byte has a token of a saved method', async () => {
  const common = { customer_id: 'kim', type: 'card' };
  const { body: method } = await ask('POST', '/v1/payment-methods', {
    ...common,
    tokens: stripe(SECRETS['token given']),
  });
  await ask('POST', '/v1/payment-methods', { ...common, tokens: { stripe: SECRETS['token refused'] } });
  await ask('PATCH', `/v1/payment-methods/${method.id}`, { tokens: stripe(SECRETS['token replaced']) });
  const money = { amount: 5_000, currency: 'EUR' };
  await ask('POST', '/v1/payments', { ...money, payment_method: { id: method.id } });
  const beside = { id: method.id, tokens: stripe(SECRETS['token beside']) };
  await ask('POST', '/v1/payments', { ...money, save: true, payment_method: beside });
  await ask('POST', '/v1/payments/intents', { ...money, payment_method: { id: method.id } });
  await ask('POST', '/v1/payment-links', { ...money, payment_method: { id: method.id } });
  const subscription = await subscribe(host, { customer_id: 'kim', payment_method: { id: method.id } });
  await advance(host, '1s');
  expect(await invoicesOf(host, subscription)).toMatchObject([{ status: 'paid' }]);
  for (const path of ['/v1/payment-methods?customer_id=kim', '/v1/payments', '/v1/webhooks/events?limit=200'])
    await ask('GET', path);
  await ask('DELETE', `/v1/payment-methods/${method.id}`);
  const places = {
    ...filesIn(host.folder),
    ...(await storedInEmulator(host.folder)),
    'the log': inspect(host.logged, { depth: null, maxStringLength: null }),
    answers: answers.join('\n'),
  };
  expect(leaksOf(SECRETS, places).filter((leak) => !PROVIDERS_OWN.test(leak))).toEqual([]);
  // Other data is found in them, so the search works.
  expect(leaksOf({ method: method.id }, places).length).toBeGreaterThan(1);
});

it('the tokens of a method cannot be opened as those of another one', async () => {
  const of = async (customer_id: string) => {
    const { body } = await ask('POST', '/v1/payment-methods', { customer_id, type: 'card', tokens: { stripe: 'ok' } });
    const stored = await (await host.deps.paymentMethods()).get(host.info.org_id, body.id);
    if (!stored) throw new Error('It is there.');
    return stored;
  };
  const [one, other] = [await of('sam'), await of('pat')];
  expect(await openTokens(one, host.deps)).toEqual([{ provider: 'stripe', token: 'ok' }]);
  await expect(openTokens({ ...one, sealed_tokens: other.sealed_tokens }, host.deps)).rejects.toBeInstanceOf(
    UnsealError,
  );
});
