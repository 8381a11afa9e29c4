import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Simulators } from '#lib/simulators/simulators.port.ts';
import { startSimulators } from '#lib/simulators/simulators.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import type { Body } from '#test/support/host.ts';

/** What the simulators do with money that is reserved and captured later: they refuse what the PSP refuses. */
const START = Date.parse('2027-03-01T10:00:00Z');
const DAY = 86_400_000;

type Answer = { readonly status: number; readonly body: Body };
type Post = (path: string, body: object) => Promise<Answer>;

type Psp = {
  readonly provider: Provider;
  readonly credentials: Readonly<Record<string, string>>;
  readonly headers: (base: string) => Promise<Readonly<Record<string, string>>>;
  /** Reserves 20 EUR. Returns what captures and voids name. */
  readonly hold: (post: Post, paymentId: string) => Promise<string>;
  readonly capture: (
    post: Post,
    id: string,
    cents: number,
    more?: { currency?: string; final?: boolean },
  ) => Promise<Answer>;
  readonly release: (post: Post, id: string) => Promise<Answer>;
  /** It refuses in its response. At Adyen the notification does. */
  readonly refusesAtOnce: boolean;
  readonly multi: boolean;
  readonly days: number;
};

const decimals = (cents: number): string => (cents / 100).toFixed(2);
const json = { 'content-type': 'application/json' };
const ACCOUNT = 'DemoShopECOM';

const PSPS: readonly Psp[] = [
  {
    provider: 'stripe',
    credentials: { secret_key: 'sk_test_heldmoney0000000', webhook_secret: 'whsec_1' },
    headers: async () => ({
      authorization: 'Bearer sk_test_heldmoney0000000',
      'content-type': 'application/x-www-form-urlencoded',
    }),
    hold: async (post, paymentId) =>
      (
        await post('/v1/payment_intents', {
          amount: 2000,
          currency: 'eur',
          confirm: true,
          capture_method: 'manual',
          payment_method: 'pm_card_visa',
          return_url: 'https://shop.example/',
          'metadata[payment_id]': paymentId,
          'payment_method_options[card][request_multicapture]': 'if_available',
        })
      ).body.id,
    capture: (post, id, cents, { final = true } = {}) =>
      post(`/v1/payment_intents/${id}/capture`, {
        amount_to_capture: cents,
        ...(!final && { final_capture: false }),
      }),
    release: (post, id) => post(`/v1/payment_intents/${id}/cancel`, {}),
    refusesAtOnce: true,
    multi: true,
    days: 7,
  },
  {
    provider: 'adyen',
    credentials: { api_key: 'AQEheldmoney', merchant_account: ACCOUNT, webhook_secret: 'AB'.repeat(32) },
    headers: async () => ({ ...json, 'x-api-key': 'AQEheldmoney' }),
    hold: async (post, paymentId) =>
      (
        await post('/v72/payments', {
          merchantAccount: ACCOUNT,
          amount: { currency: 'EUR', value: 2000 },
          reference: `att_${paymentId}`,
          additionalData: { manualCapture: 'true' },
          metadata: { payment_id: paymentId },
          paymentMethod: { type: 'scheme', storedPaymentMethodId: 'ok' },
          returnUrl: 'https://shop.example/',
        })
      ).body.pspReference,
    capture: (post, id, value, { currency = 'EUR' } = {}) =>
      post(`/v72/payments/${id}/captures`, { merchantAccount: ACCOUNT, amount: { currency, value } }),
    release: (post, id) => post(`/v72/payments/${id}/cancels`, { merchantAccount: ACCOUNT }),
    refusesAtOnce: false,
    multi: false,
    days: 28,
  },
  {
    provider: 'checkout',
    credentials: { secret_key: `sk_sbox_${'h'.repeat(27)}`, webhook_secret: 'signature-key-1' },
    headers: async () => ({ ...json, authorization: `Bearer sk_sbox_${'h'.repeat(27)}` }),
    hold: async (post, paymentId) =>
      (
        await post('/payments', {
          source: { type: 'token', token: 'ok' },
          amount: 2000,
          currency: 'EUR',
          capture: false,
          processing_channel_id: 'pc_hpswyyx23geezflc2ocz3exn4y',
          metadata: { payment_id: paymentId },
        })
      ).body.id,
    capture: (post, id, amount, { final = true } = {}) =>
      post(`/payments/${id}/captures`, { amount, capture_type: final ? 'Final' : 'NonFinal' }),
    release: (post, id) => post(`/payments/${id}/voids`, {}),
    refusesAtOnce: true,
    multi: true,
    days: 7,
  },
  {
    provider: 'paypal',
    credentials: { client_id: 'held-client', client_secret: 'held-secret', webhook_secret: '1JE4291016473214C' },
    headers: async (base) => {
      const authorization = `Basic ${Buffer.from('held-client:held-secret').toString('base64')}`;
      const body = new URLSearchParams({ grant_type: 'client_credentials' });
      const login = await fetch(`${base}/v1/oauth2/token`, { method: 'POST', headers: { authorization }, body });
      const { access_token } = (await login.json()) as Body;
      return { ...json, authorization: `Bearer ${access_token}`, 'paypal-request-id': '' };
    },
    hold: async (post, paymentId) => {
      const { body } = await post('/v2/checkout/orders', {
        intent: 'AUTHORIZE',
        purchase_units: [{ amount: { currency_code: 'EUR', value: '20.00' }, custom_id: `org|conn|${paymentId}` }],
        payment_source: { card: { vault_id: 'ok' } },
      });
      const order = await post(`/v2/checkout/orders/${body.id}/authorize`, {});
      expect(order.body.details[0].issue).toBe('ORDER_ALREADY_AUTHORIZED');
      return body.purchase_units?.[0].payments.authorizations[0].id;
    },
    capture: (post, id, cents, { currency = 'EUR', final = true } = {}) =>
      post(`/v2/payments/authorizations/${id}/capture`, {
        amount: { currency_code: currency, value: decimals(cents) },
        final_capture: final,
      }),
    release: (post, id) => post(`/v2/payments/authorizations/${id}/void`, {}),
    refusesAtOnce: true,
    multi: true,
    days: 29,
  },
];

describe.each(PSPS)('money that is reserved at the simulator of $provider', (psp) => {
  let simulators: Simulators;
  let now = START;
  let keys = 0;
  let headers: Readonly<Record<string, string>> = {};
  beforeEach(async () => {
    now = START;
    const plain = (text: string) => text;
    simulators = await startSimulators({
      port: 0,
      database: ':memory:',
      clock: { now: () => new Date(now) },
      webhookBase: () => 'http://127.0.0.1:1',
      protect: { seal: plain, open: plain },
    });
    simulators.registerAccount(psp.provider, psp.credentials);
    headers = await psp.headers(`${simulators.base}/${psp.provider}`);
  });
  afterEach(() => simulators.close());

  const post: Post = async (path, body) => {
    const pairs = Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]);
    const text = psp.provider === 'stripe' ? new URLSearchParams(pairs).toString() : JSON.stringify(body);
    keys += 1;
    const keyed = 'paypal-request-id' in headers ? { ...headers, 'paypal-request-id': `key-${keys}` } : headers;
    const prefer = { prefer: 'return=representation' };
    const response = await fetch(`${simulators.base}/${psp.provider}${path}`, {
      method: 'POST',
      headers: { ...keyed, ...prefer },
      body: text,
    });
    const answer = await response.text();
    return { status: response.status, body: answer === '' ? {} : JSON.parse(answer) };
  };
  const books = (paymentId: string) => simulators.calls({ payment_id: paymentId }).holds?.[paymentId];
  const held = async (paymentId = 'pay_1') => psp.hold(post, paymentId);
  const expectRefused = ({ status }: Answer) => expect(status >= 400).toBe(psp.refusesAtOnce);

  it('is no charge, and never captured above its amount', async () => {
    const id = await held();
    expect(simulators.calls({ payment_id: 'pay_1' }).charges).toEqual({});
    expectRefused(await psp.capture(post, id, 2001));
    expect(books('pay_1')).toMatchObject({ authorized: 2000, captured: 0, released: 0 });
    await psp.capture(post, id, 2000);
    expectRefused(await psp.capture(post, id, 1));
    expect(books('pay_1')).toMatchObject({ captured: 2000, released: 0 });
    expect(simulators.calls({ payment_id: 'pay_1' }).charges.pay_1).toMatchObject({ amount: 2000, count: 1 });
  });

  it('is given back by the last capture, a void, or after its time, and is not captured then', async () => {
    const part = await held('pay_part');
    await psp.capture(post, part, 1200);
    expectRefused(await psp.capture(post, part, 100));
    expect(books('pay_part')).toMatchObject({ captured: 1200, released: 800 });

    const voided = await held('pay_voided');
    expect((await psp.release(post, voided)).status).toBeLessThan(300);
    expectRefused(await psp.capture(post, voided, 100));
    expect(books('pay_voided')).toMatchObject({ captured: 0, released: 2000 });

    const left = await held('pay_left');
    now += psp.days * DAY + 1_000;
    await simulators.idle();
    if (psp.provider === 'paypal') headers = await psp.headers(`${simulators.base}/${psp.provider}`);
    expectRefused(await psp.capture(post, left, 100));
    expect(books('pay_left')).toMatchObject({ captured: 0, released: 2000 });
  });

  it('is reserved once, also when the customer is said to have paid once more', async () => {
    const id = await held();
    simulators.complete(psp.provider, id, 'succeeded');
    expect(books('pay_1')).toMatchObject({ authorized: 2000, count: 1 });
    await psp.capture(post, id, 2000);
    simulators.complete(psp.provider, id, 'succeeded');
    simulators.complete(psp.provider, id, 'succeeded');
    expect(books('pay_1')).toMatchObject({ authorized: 2000, captured: 2000, count: 1 });
  });

  it('does not come again when the customer is said to have paid after it was given back', async () => {
    const id = await held();
    await psp.release(post, id);
    expect(simulators.complete(psp.provider, id, 'succeeded')).toBe(true);
    expect(simulators.complete(psp.provider, 'pay_1', 'succeeded')).toBe(true);
    expect(books('pay_1')).toMatchObject({ authorized: 2000, captured: 0, released: 2000, count: 1 });
    expectRefused(await psp.capture(post, id, 100));
  });

  if (psp.multi)
    it('is captured several times, and what is left is given back', async () => {
      const id = await held();
      expect((await psp.capture(post, id, 500, { final: false })).status).toBeLessThan(300);
      expect((await psp.capture(post, id, 700, { final: false })).status).toBeLessThan(300);
      expectRefused(await psp.capture(post, id, 801, { final: false }));
      expect(books('pay_1')).toMatchObject({ captured: 1200, released: 0 });
      expect((await psp.release(post, id)).status).toBeLessThan(300);
      expect(books('pay_1')).toMatchObject({ captured: 1200, released: 800 });
      expect(simulators.calls({ payment_id: 'pay_1' }).charges.pay_1).toMatchObject({ amount: 1200, count: 1 });
    });

  if (psp.provider === 'adyen' || psp.provider === 'paypal')
    it('is not captured in another currency', async () => {
      const id = await held();
      expect((await psp.capture(post, id, 100, { currency: 'USD' })).status).toBe(422);
      expect(books('pay_1')).toMatchObject({ captured: 0 });
    });
});
