import { afterAll, describe, expect, it } from 'vitest';
import type { PspAdapter, PspContext } from '#shared/ports/psp.port.ts';
import { PROVIDERS, providerOf } from '#shared/psp/providers.ts';
import { isSignedReturn } from '#shared/psp/razorpay/returns.ts';
import file from '#test/fixtures/webhook-vectors.json' with { type: 'json' };

type Vector = {
  id: string;
  psp: string;
  scheme: string;
  expected: string;
  headers: Record<string, string | undefined>;
  body: string;
  body_base64: string;
  secret: string;
  secrets?: string[];
  hmac_key_hex: string;
  webhook_id: string;
  now_unix?: number;
};
const VECTORS = file.vectors as unknown as Vector[];

type Judge = (vector: Vector, adapter: PspAdapter) => boolean | Promise<boolean>;
type Scheme = { readonly psp: string; readonly judge: Judge; readonly good: Readonly<Record<string, boolean>> };

function parsed(credentials: object, adapter: PspAdapter): unknown {
  const result = adapter.parseCredentials(credentials);
  if (!result.ok) throw new Error(`These are no credentials of ${adapter.provider}: ${JSON.stringify(result.faults)}`);
  return result.credentials;
}

/**
 * What the adapter makes of a callback, with credentials that it has read itself and PayPal's certificate where PayPal
 * is asked.
 */
const asCallback =
  (credentialsOf: (vector: Vector) => object, read: typeof parsed = parsed): Judge =>
  (vector, adapter) => {
    const psp: PspContext<unknown> = {
      credentials: read(credentialsOf(vector), adapter),
      now: () => new Date(vector.now_unix === undefined ? '2026-12-01T00:00:00Z' : vector.now_unix * 1000),
      rootCertificates: () => [file.paypal_test_cert_pem],
      send: async ({ operation }) => {
        if (operation !== 'certificate') throw new Error(`A verification makes no call to ${operation}.`);
        return { status: 200, headers: {}, text: file.paypal_test_cert_pem };
      },
    };
    return adapter.verifyCallback(
      { rawBody: Buffer.from(vector.body_base64, 'base64'), headers: vector.headers, query: {} },
      psp,
    );
  };

/** What a customer brings back is no callback: it is read by the adapter, and checked where a charge is confirmed. */
const asReturn: Judge = ({ body, secret }, adapter) =>
  isSignedReturn(adapter.readReturn?.(Object.fromEntries(new URLSearchParams(body))) ?? {}, secret);

const adyen = asCallback(({ hmac_key_hex }) => ({
  api_key: 'AQE_unused',
  merchant_account: 'TestMerchant',
  webhook_secret: hmac_key_hex,
}));
const mollie = asCallback(({ secrets }) => ({ api_key: 'test_1', webhook_secret: secrets }));
const flutterwave = ({ secret }: Vector) => ({ secret_key: 'FLWSECK_TEST-1-X', webhook_secret: secret });
const SIGNED = { valid: true, invalid: false };

/** A new scheme is a line here, with what its vectors may expect and what the port has to say then. */
const SCHEMES: Readonly<Record<string, Scheme>> = {
  'stripe-signature-v1': {
    psp: 'stripe',
    judge: asCallback(({ secret }) => ({ secret_key: 'sk_test_1', webhook_secret: secret })),
    good: SIGNED,
  },
  'adyen-standard-hmac': { psp: 'adyen', judge: adyen, good: SIGNED },
  'adyen-header-hmac': { psp: 'adyen', judge: adyen, good: SIGNED },
  // Rightly signed in a form that no notification has, so none of ours.
  'adyen-legacy-keyvalue (HPP / return URL style, reference only)': {
    psp: 'adyen',
    judge: adyen,
    good: { valid: false },
  },
  'paypal-rsa-sha256': {
    psp: 'paypal',
    judge: asCallback(({ webhook_id }) => ({
      client_id: 'client-id',
      client_secret: 'client-secret',
      webhook_secret: webhook_id,
    })),
    good: SIGNED,
  },
  'checkout-cko-signature': {
    psp: 'checkout',
    judge: asCallback(({ secret }) => ({
      secret_key: 'sk_sbox_aaaaaaaaaaaaaaaa',
      processing_channel_id: `pc_${'a'.repeat(26)}`,
      host_prefix: 'demo1234',
      webhook_secret: secret,
    })),
    good: SIGNED,
  },
  'mollie-x-mollie-signature': { psp: 'mollie', judge: mollie, good: SIGNED },
  // Nothing to check, and nothing to believe: the payment is fetched.
  'mollie-classic (no signature)': { psp: 'mollie', judge: mollie, good: { unsigned: true } },
  'paystack-hmac-sha512': {
    psp: 'paystack',
    judge: asCallback(({ secret }) => ({ secret_key: secret })),
    good: SIGNED,
  },
  'flutterwave-v3-verif-hash': { psp: 'flutterwave', judge: asCallback(flutterwave), good: SIGNED },
  // Their secret has a sign beyond ASCII, which a connection does not take, as the older form sends it in a header.
  'flutterwave-v4-signature': {
    psp: 'flutterwave',
    judge: asCallback(flutterwave, (credentials) => credentials),
    good: SIGNED,
  },
  'razorpay-hmac-sha256': {
    psp: 'razorpay',
    judge: asCallback(({ secret }) => ({ key_id: 'rzp_test_1', key_secret: 'secret', webhook_secret: secret })),
    good: SIGNED,
  },
  'razorpay-payment-verification': { psp: 'razorpay', judge: asReturn, good: SIGNED },
};

describe('the signature vectors, through the PSP port', () => {
  const judged: Record<string, number> = {};
  afterAll(() => console.info('vectors judged:', judged));

  it('cover every PSP, and no other', () => {
    expect(VECTORS.length).toBe(135);
    expect(new Set(VECTORS.map(({ id }) => id)).size).toBe(VECTORS.length);
    expect([...new Set(VECTORS.map(({ psp }) => psp))].sort()).toEqual([...PROVIDERS].sort());
    expect([...new Set(VECTORS.map(({ scheme }) => scheme))].sort()).toEqual(Object.keys(SCHEMES).sort());
  });

  it.each(VECTORS)('judge $id of $psp as $expected', async (vector) => {
    const scheme = SCHEMES[vector.scheme];
    const adapter = await providerOf(vector.psp)?.load();
    if (!scheme || !adapter || scheme.psp !== vector.psp)
      return expect.fail(`Nobody judges ${vector.scheme} of ${vector.psp}.`);
    const good = scheme.good[vector.expected];
    if (good === undefined) return expect.fail(`${vector.scheme} can’t be ${vector.expected}.`);
    expect(await scheme.judge(vector, adapter)).toBe(good);
    judged[vector.psp] = (judged[vector.psp] ?? 0) + 1;
  });

  it('have all been judged', () => {
    expect(judged).toEqual(file.counts);
  });
});
