import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { UnsealError } from '#shared/ports/vault.port.ts';
import { openSubscriptionMethod } from '#shared/services/billing/subscription-method.service.ts';
import { filesIn, leaksOf } from '#test/faults/canary.support.ts';
import {
  cancel,
  eventsOf,
  invoicesOf,
  SUBSCRIPTIONS,
  subscribe,
  subscribeLater,
  update,
} from '#test/http/subscriptions/subscriptions.support.ts';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { storedInEmulator } from '#test/support/emulated-items.ts';
import type { Body } from '#test/support/host.ts';
import { advance } from '#test/support/payment-steps.ts';

const SECRETS = {
  token: 'cus_CanarySubscriber5Zt8',
  'new token': 'cus_CanaryOtherCard7Kp2',
  'token that the provider refuses': 'pm_CanaryRefused3Lw6',
  phone: '+49 151 (555) 0199-77',
} as const;

let host: WatchedHost;
beforeAll(async () => {
  host = await startWatchedHost();
});
afterAll(() => host?.close());

const secretly = (customer: string = SECRETS.token, payment_method = 'pm_card_visa'): Body => ({
  type: 'card',
  token: { payment_method, customer },
  phone: SECRETS.phone,
  return_url: 'https://shop.example/back',
});
const stored = async (id: string) => {
  const subscription = await host.deps.subscriptions.byId(id);
  if (!subscription) throw new Error('It is there.');
  return subscription;
};

/** The provider's simulator stores its own customers in plain text. */
const PROVIDERS_OWN = /in sandbox\S*-simulators/;

it('never returns the payment method of a subscription', async () => {
  const answers: unknown[] = [];
  const made = await subscribe(host, { payment_method: secretly() });
  answers.push(made, await invoicesOf(host, made));
  answers.push((await update(host, made.id, { payment_method: secretly(SECRETS['new token']) })).text);
  answers.push((await update(host, made.id, { payment_method: { token: secretly(), colour: SECRETS.phone } })).text);
  const refused = await subscribe(host, {
    payment_method: secretly(SECRETS.token, SECRETS['token that the provider refuses']),
  });
  await host.control('POST', '/clock', { set: made.next_renewal_at });
  await advance(host, '10d');
  answers.push(await invoicesOf(host, made), await invoicesOf(host, refused), (await cancel(host, made.id)).text);
  for (const list of [SUBSCRIPTIONS, '/v1/invoices', '/v1/payments', '/v1/webhooks/events?limit=200'])
    answers.push((await host.call('GET', list)).text);
  answers.push(await eventsOf(host, made.id), await eventsOf(host, refused.id));
  expect((await invoicesOf(host, made)).map(({ status }) => status)).toEqual(['paid', 'paid']);
  const places = {
    ...filesIn(host.folder),
    ...(await storedInEmulator(host.folder)),
    'the log': inspect(host.logged, { depth: null, maxStringLength: null }),
    answers: JSON.stringify(answers),
  };
  expect(leaksOf(SECRETS, places).filter((leak) => !PROVIDERS_OWN.test(leak))).toEqual([]);
  // Other data is found in them, so the search works.
  expect(
    leaksOf({ plan: 'gold' }, places).filter((found) => /^plan in (answers|sandbox|the table)/.test(found)).length,
  ).toBeGreaterThan(1);
});

it('stores the payment method encrypted, bound to its subscription', async () => {
  const { id } = await subscribeLater(host, { payment_method: secretly() });
  const subscription = await stored(id);
  expect(await openSubscriptionMethod(subscription, host.deps, [])).toEqual(secretly());
  const other = await stored((await subscribeLater(host)).id);
  await expect(
    openSubscriptionMethod({ ...other, sealed_method: subscription.sealed_method }, host.deps, []),
  ).rejects.toBeInstanceOf(UnsealError);
});

it('encrypts nothing for a bare method type, and deletes a replaced payment method', async () => {
  const bare = await stored((await subscribeLater(host, { payment_method: { type: 'ideal' } })).id);
  expect([bare.sealed_method, await openSubscriptionMethod(bare, host.deps, [])]).toEqual([null, { type: 'ideal' }]);
  const { id } = await subscribeLater(host, { payment_method: secretly() });
  const before = await stored(id);
  await update(host, id, { payment_method: { type: 'ideal' } });
  const after = await stored(id);
  expect([after.sealed_method, after.method, after.method_version - before.method_version]).toEqual([null, 'ideal', 1]);
});

it('forgets the connection of a token once there is another payment method', async () => {
  const made = await subscribe(host);
  await invoicesOf(host, made);
  expect((await stored(made.id)).token_of?.connection_id).toBe(host.info.connections.stripe);
  await update(host, made.id, { amount: 1 });
  expect((await stored(made.id)).token_of?.connection_id).toBe(host.info.connections.stripe);
  await update(host, made.id, { payment_method: { type: 'card', token: 'ok' } });
  expect(await stored(made.id)).not.toHaveProperty('token_of');
});
