import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeToken, returnToken } from '#shared/services/payments/charge-order.service.ts';
import { walkThrough } from '#test/providers/browser.ts';
import { type OwnShop, openShop } from '#test/providers/own-shop.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain, eventTypesOf, faultsIn, operationsOf } from '#test/support/payment-steps.ts';

/** Every next action of a customer, and how the payment continues: by `confirm`, or by the customer's return. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ pspBudgetMs: 1_000, demoProviders: [] });
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host?.close());

const RETURN_URL = 'https://shop.example/thanks';
const opened = (provider: string, currency: string): Promise<OwnShop> =>
  openShop(host, { provider, currency, declines: [], cancel: 'refused', neverArrived: 'sent_again' });

type Asking = {
  readonly provider: string;
  readonly currency: string;
  readonly method?: string;
  readonly payment_method: Body;
  /** The next actions one after another, and the input of the customer. No input: the customer acts elsewhere. */
  readonly steps: readonly { readonly asked: object; readonly input?: Body | ((action: Body) => Body) }[];
};

const collect = (field: string, value: string, more = {}) => ({
  asked: { type: 'collect', field },
  input: { [field]: value, ...more },
});
const address = collect('address', '1 Marina Road', { city: 'Lagos', state: 'Lagos', zip_code: '101001' });
/** The output of Adyen's component for its action. */
const component = (transStatus: string) => (action: Body) => {
  const { authorisationToken } = JSON.parse(action.data.action);
  return { threeDSResult: Buffer.from(JSON.stringify({ authorisationToken, transStatus })).toString('base64') };
};
const bank = (bank_code: string) => ({ tokens: { paystack: { bank_code, account_number: '0000000000' } } });
const phone = { phone: '+233551234987' };

const ASKINGS: Readonly<Record<string, Asking>> = {
  'a redirect by GET': {
    provider: 'stripe',
    currency: 'EUR',
    payment_method: { tokens: { stripe: 'needs_3ds' } },
    steps: [{ asked: { type: 'redirect', method: 'GET' } }],
  },
  'a redirect by POST, with fields': {
    provider: 'adyen',
    currency: 'EUR',
    payment_method: { tokens: { adyen: 'needs_3ds_form' } },
    steps: [
      {
        asked: {
          type: 'redirect',
          method: 'POST',
          fields: { MD: expect.any(String), PaReq: expect.any(String), TermUrl: expect.any(String) },
        },
      },
    ],
  },
  'Stripe’s own library': {
    provider: 'stripe',
    currency: 'EUR',
    payment_method: { tokens: { stripe: 'ctoken_needs_3ds' } },
    steps: [
      {
        asked: {
          type: 'sdk',
          provider: 'stripe',
          data: { payment_intent: expect.stringMatching(/^pi_/), client_secret: expect.any(String) },
        },
      },
    ],
  },
  'Adyen’s component, twice': {
    provider: 'adyen',
    currency: 'EUR',
    payment_method: { tokens: { adyen: 'needs_3ds_component' } },
    steps: [
      {
        asked: { type: 'sdk', provider: 'adyen', data: { action: expect.stringContaining('fingerprint') } },
        input: component('C'),
      },
      {
        asked: { type: 'sdk', provider: 'adyen', data: { action: expect.stringContaining('challenge') } },
        input: component('Y'),
      },
    ],
  },
  'a birthday and a code': {
    provider: 'paystack',
    currency: 'NGN',
    method: 'bank',
    payment_method: bank('057'),
    steps: [collect('birthday', '1990-01-31'), collect('otp', '123456')],
  },
  'all that a bank can ask, one after another': {
    provider: 'paystack',
    currency: 'NGN',
    method: 'bank',
    payment_method: bank('999'),
    steps: [
      collect('pin', '1234'),
      collect('phone', '08012345678'),
      collect('birthday', '1990-01-31'),
      address,
      collect('otp', '123456'),
    ],
  },
  'a voucher’s code': {
    provider: 'paystack',
    currency: 'GHS',
    method: 'mobile_money',
    payment_method: { ...phone, network: 'vod' },
    steps: [collect('otp', '123456')],
  },
  'a code of the bank': {
    provider: 'flutterwave',
    currency: 'NGN',
    payment_method: { tokens: { flutterwave: 'needs_otp' } },
    steps: [collect('otp', '12345')],
  },
  'a number to dial': {
    provider: 'paystack',
    currency: 'NGN',
    method: 'ussd',
    payment_method: { network: '737' },
    steps: [{ asked: { type: 'display', kind: 'pay_offline', ussd_code: expect.stringContaining('*737*') } }],
  },
  'an act on her phone': {
    provider: 'paystack',
    currency: 'GHS',
    method: 'mobile_money',
    payment_method: { ...phone, network: 'mtn' },
    steps: [{ asked: { type: 'await' } }],
  },
};

async function asked({
  provider,
  currency,
  method = 'card',
  payment_method,
}: Asking): Promise<{ readonly shop: OwnShop; readonly payment: Body }> {
  const shop = await opened(provider, currency);
  const more = {
    method,
    customer_email: 'kim@example.com',
    payment_method: { type: method, return_url: RETURN_URL, ...payment_method },
  };
  return { shop, payment: await shop.pay(null, { currency, ...more }) };
}

const confirm = (
  shop: OwnShop,
  { id }: Body,
  body?: Body,
  idempotencyKey: string = randomUUID(),
): Promise<ApiResponse> => host.call('POST', `/v1/payments/${id}/confirm`, body, { key: shop.key, idempotencyKey });

const returnToShop = (id: string): Promise<Response> =>
  fetch(`${host.info.api}/pay/return/${id}?t=${makeToken(returnToken(id), host.deps.config)}`, { redirect: 'manual' });

/** The customer's part of one step: on the PSP's page, elsewhere, or by input. */
async function act(shop: OwnShop, payment: Body, input: Body | undefined): Promise<ApiResponse | undefined> {
  if (input) return confirm(shop, payment, { input });
  if (payment.next_action.type === 'redirect') await walkThrough(payment.next_action);
  else await shop.complete(payment.id, 'succeeded');
  return undefined;
}

const given = (input: Asking['steps'][number]['input'], action: Body): Body | undefined =>
  typeof input === 'function' ? input(action) : input;

async function verifyPaid(shop: OwnShop, { id }: Body): Promise<void> {
  expect(await shop.later({ id })).toMatchObject({
    status: 'succeeded',
    next_action: null,
    late_success: false,
    attempts: [{ status: 'succeeded' }],
  });
  expect(await shop.money({ id })).toMatchObject({ amount: 5_000, refunded: 0, count: 1 });
  expect(await eventTypesOf(host, id, { key: shop.key })).toEqual(['created', 'succeeded']);
}

describe.each(Object.keys(ASKINGS))('a customer with the next action %s', (name) => {
  const asking = ASKINGS[name]!;

  it('pays once after completing it', async () => {
    const begun = await asked(asking);
    let payment = begun.payment;
    for (const { asked: action, input } of asking.steps) {
      expect([payment.status, payment.next_action, payment.failure]).toEqual([
        'requires_action',
        expect.objectContaining(action),
        null,
      ]);
      expect((await begun.shop.money(payment)).count).toBe(0);
      const answer = await act(begun.shop, payment, given(input, payment.next_action));
      expect(answer?.status ?? 200, answer?.text).toBe(200);
      payment = answer?.body ?? payment;
    }
    if (asking.steps.at(-1)?.input) expect(payment.status).toBe('succeeded');
    await verifyPaid(begun.shop, payment);
  });

  it('has the same next action after returning too early or without input', async () => {
    const { shop, payment } = await asked(asking);
    const back = await returnToShop(payment.id);
    expect([back.status, back.headers.get('location')]).toEqual([
      303,
      `${RETURN_URL}?payment_id=${payment.id}&status=requires_action`,
    ]);
    for (const body of [undefined, {}, { input: {} }])
      expect((await confirm(shop, payment, body)).body).toMatchObject({ status: 'requires_action' });
    const seen = await shop.later(payment);
    expect([seen.next_action, (await shop.money(payment)).count]).toEqual([payment.next_action, 0]);
  });

  it('can repeat the input with the same key, which returns the same response and passes nothing on twice', async () => {
    const { shop, payment } = await asked(asking);
    const body = { input: given(asking.steps[0]?.input, payment.next_action) ?? {} };
    const same = randomUUID();
    const first = await confirm(shop, payment, body, same);
    const calls = await operationsOf(host, payment.id);
    const again = await confirm(shop, payment, body, same);
    expect([first.status, again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
      200,
      200,
      first.text,
      'true',
    ]);
    expect(await operationsOf(host, payment.id)).toEqual(calls);
  });

  it('has not paid after never acting, once the time is over', async () => {
    const { shop, payment } = await asked(asking);
    await advance(host, '26h');
    expect(await shop.later(payment)).toMatchObject({
      status: 'failed',
      next_action: null,
      failure: { code: expect.stringMatching(/expired|customer_canceled/) },
    });
    expect((await shop.money(payment)).count).toBe(0);
    await drain(host);
  });
});

const COLLECTED = Object.keys(ASKINGS).filter((name) => 'field' in (ASKINGS[name]?.steps[0]?.asked ?? {}));

describe.each(COLLECTED)('for the next action %s', (name) => {
  it('other input is rejected, and nothing is passed on', async () => {
    const { shop, payment } = await asked(ASKINGS[name]!);
    const { field } = payment.next_action;
    const calls = await operationsOf(host, payment.id);
    for (const [input, faults] of [
      [{ code: '123456' }, [field, 'code']],
      [{ [field]: '123456', code: '1' }, ['code']],
    ] as const) {
      const answer = await confirm(shop, payment, { input });
      expect([answer.status, faultsIn(answer)]).toEqual([400, faults.map((fault) => `input.${fault}`)]);
    }
    expect([await operationsOf(host, payment.id), (await shop.later(payment)).next_action]).toEqual([
      calls,
      payment.next_action,
    ]);
  });
});

it('an address is required as a whole', async () => {
  const { shop, payment } = await asked(ASKINGS['all that a bank can ask, one after another']!);
  for (const { input } of ASKINGS['all that a bank can ask, one after another']!.steps.slice(0, 3))
    await confirm(shop, payment, { input });
  const answer = await confirm(shop, payment, { input: { address: '1 Marina Road', city: 'Lagos' } });
  expect([answer.status, faultsIn(answer)]).toEqual([400, ['input.state', 'input.zip_code']]);
  expect((await confirm(shop, payment, { input: address.input })).body.next_action).toEqual({
    type: 'collect',
    field: 'otp',
  });
});

describe('a wrong input', () => {
  it('at Flutterwave can be corrected until it is right', async () => {
    const { shop, payment } = await asked(ASKINGS['a code of the bank']!);
    for (const otp of ['000000', 'x', '99999']) {
      const { status, body } = await confirm(shop, payment, { input: { otp } });
      expect([status, body.status, body.next_action]).toEqual([
        200,
        'requires_action',
        { type: 'collect', field: 'otp' },
      ]);
    }
    expect((await confirm(shop, payment, { input: { otp: '12345' } })).body.status).toBe('succeeded');
    await verifyPaid(shop, payment);
  });

  it('at Razorpay can be corrected as well', async () => {
    const shop = await opened('razorpay', 'INR');
    const more = {
      customer_email: 'kim@example.com',
      payment_method: { type: 'card', token: 'needs_otp', phone: '+919900000000' },
    };
    const payment = await shop.pay(null, { currency: 'INR', ...more });
    expect(payment.next_action).toEqual({ type: 'collect', field: 'otp' });
    const wrong = await confirm(shop, payment, { input: { otp: '111' } });
    expect([wrong.status, wrong.body.status, wrong.body.next_action]).toEqual([
      200,
      'requires_action',
      { type: 'collect', field: 'otp' },
    ]);
    expect((await confirm(shop, payment, { input: { otp: '123456' } })).body.status).toMatch(/succeeded|processing/);
    await verifyPaid(shop, payment);
  });

  it('at Paystack fails the attempt, which can be retried', async () => {
    const { shop, payment } = await asked(ASKINGS['all that a bank can ask, one after another']!);
    const { body } = await confirm(shop, payment, { input: { pin: '0000' } });
    expect(body).toMatchObject({ status: 'failed', failure: { code: 'incorrect_pin', retryable: true } });
    const again = await shop.act(payment, 'retry');
    expect(again.body).toMatchObject({ status: 'requires_action', next_action: { type: 'collect', field: 'pin' } });
    expect((await shop.money(payment)).count).toBe(0);
  });

  it("from Adyen's component declines the payment", async () => {
    const { shop, payment } = await asked(ASKINGS['Adyen’s component, twice']!);
    const { body } = await confirm(shop, payment, { input: component('N')(payment.next_action) });
    expect([body.status, body.failure.code, (await shop.money(payment)).count]).toEqual([
      'failed',
      'authentication_failed',
      0,
    ]);
  });
});
