import { describe, expect, it } from 'vitest';
import { callbackUrlOf } from '#functions/connections/connection-store.ts';
import { createPayment } from '#functions/payments/create-payment.usecase.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { type HashVersions, rotationOf } from '#shared/kernel/hash-versions.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { chargeOrder } from '#shared/services/payments/charge-order.service.ts';
import { world } from '#test/support/world.ts';

const secretOf = (version: number): string => `secret ${version}`;
const at = (config: Deps['config'], versions: HashVersions): Deps['config'] => {
  const tokenSecret = rotationOf(versions, secretOf);
  return { ...config, tokenSecret: secretOf(versions.current), ...(tokenSecret && { rotations: { tokenSecret } }) };
};

const INPUT = {
  amount: 5_000,
  currency: 'EUR',
  payment_method: { type: 'card', tokens: { stripe: 'tok_1' } },
} as const;

const OWNER = { id: 'conn_1', org_id: 'org_1' };

describe('the addresses that a provider is told with a charge', () => {
  const payAt = async (versions: HashVersions) => {
    const w = await world();
    const deps = { ...w.deps, config: at(w.deps.config, versions) };
    const { id } = await createPayment(INPUT, w.caller(), deps);
    return { w, payment: await w.stored(id) };
  };
  const addresses = async ({ w, payment }: Awaited<ReturnType<typeof payAt>>, versions: HashVersions) => {
    const deps = { ...w.deps, config: at(w.deps.config, versions) };
    const { returnUrl, callbackUrl } = await chargeOrder(payment, payment.attempts[0]!, deps);
    return [returnUrl, callbackUrl];
  };
  const versionOf = ({ token_version }: Payment) => token_version;

  it('stay the same for a repeat, after the secret of tokens was replaced', async () => {
    const made = await payAt({ current: 1 });
    const before = await addresses(made, { current: 1 });
    for (const versions of [
      { current: 1, next: 2 },
      { current: 2, previous: 1 },
      { current: 3, former: [2, 1] },
    ])
      expect(await addresses(made, versions)).toEqual(before);
    expect(versionOf(made.payment)).toBeUndefined();
  });

  it('have a token of the version that was current when the payment was made', async () => {
    const made = await payAt({ current: 2, previous: 1 });
    expect(versionOf(made.payment)).toBe(2);
    const before = await addresses(made, { current: 2, previous: 1 });
    expect(before.every((address) => /[?&]t=v2~|[?&]t=v2%7E/.test(String(address)))).toBe(true);
    expect(await addresses(made, { current: 3, previous: 2 })).toEqual(before);
  });

  it('begin with the stage’s own callback address, which organizations are told too', async () => {
    const w = await world();
    const config = { ...w.deps.config, callbackUrl: 'https://callbacks.example.com' };
    const { id } = await createPayment(INPUT, w.caller(), { ...w.deps, config });
    const payment = await w.stored(id);
    const order = await chargeOrder(payment, payment.attempts[0]!, { ...w.deps, config });
    expect(order.callbackUrl).toMatch(/^https:\/\/callbacks\.example\.com\/webhooks\/stripe\?/);
    expect(callbackUrlOf({ provider: 'stripe', ...OWNER }, config).callback_url).toBe(
      'https://callbacks.example.com/webhooks/stripe?connection=conn_1&org=org_1',
    );
  });

  it('and the one that organizations register are the API’s if nothing else is set', async () => {
    const { deps } = await world();
    const told = callbackUrlOf({ provider: 'adyen', ...OWNER }, deps.config).callback_url;
    expect(told).toBe(`${deps.config.apiUrl}/webhooks/adyen?connection=conn_1&org=org_1`);
    const registeredCallbackUrl = 'https://url.example.com';
    const registered = { ...deps.config, registeredCallbackUrl };
    expect(callbackUrlOf({ provider: 'adyen', ...OWNER }, registered).callback_url).toBe(
      'https://url.example.com/webhooks/adyen?connection=conn_1&org=org_1',
    );
  });
});
