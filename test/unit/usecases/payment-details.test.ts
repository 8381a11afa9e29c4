import { describe, expect, it } from 'vitest';
import { mayCustomerRetry } from '#functions/hosted-pages/retry-returned-payment.rules.ts';
import { retryPayment } from '#functions/payment-actions/retry-payment.usecase.ts';
import { type ConfirmInput, confirmPayment } from '#functions/payments/confirm-payment.usecase.ts';
import { createPayment, createPaymentIntent } from '#functions/payments/create-payment.usecase.ts';
import type { PaymentDetails } from '#shared/domain/payments/payment-details.model.ts';
import type { CreatePaymentInput } from '#shared/domain/payments/payment-input.model.ts';
import { openInstrument } from '#shared/services/payments/charge-order.service.ts';
import { aConnection } from '#test/support/payment.builder.ts';
import { charges, type World, world } from '#test/support/world.ts';

const DETAILS: PaymentDetails = {
  billing: { name: 'Kim Doe', phone: '+493012345678', address: { line1: 'Hauptstr. 1', country: 'DE' } },
  shipping: { name: 'Sam Doe' },
  statement_descriptor: 'SHOP ORDER 7',
  order: { reference: 'R-7' },
  sca: { challenge: 'avoid', exemption: 'low_value' },
};
const MIT: Partial<CreatePaymentInput> = {
  payment_method: { type: 'card', tokens: { stripe: { payment_method: 'pm_saved', customer: 'cus_1' } } },
  mit: { reason: 'unscheduled', network_transaction_id: 'MCC0123456789' },
};

const input = (about: Partial<CreatePaymentInput> = {}): CreatePaymentInput => ({
  amount: 5_000,
  currency: 'EUR',
  payment_method: { type: 'card', tokens: { stripe: 'pm_saved' } },
  ...about,
});
const create = (w: World, about: Partial<CreatePaymentInput> = {}) => createPayment(input(about), w.caller(), w.deps);
const anIntent = (w: World, about: Partial<CreatePaymentInput> = {}) =>
  createPaymentIntent(input(about), w.caller(), w.deps);
const confirm = (w: World, about: ConfirmInput) => confirmPayment(about, w.caller(), w.deps);
const sentDetails = (w: World) => w.charged.map(({ order }) => order.details);

describe('the details of a payment', () => {
  it('reach the provider as the shop sent them, and no longer lie with the payment once it has ended', async () => {
    const w = await world();
    const { id } = await create(w, DETAILS);
    expect([sentDetails(w), (await w.stored(id)).sealed_method]).toEqual([[DETAILS], null]);
    expect(w.charged[0]?.order.paymentMethod).toEqual({ type: 'card', token: 'pm_saved' });
  });

  it('are missing from the order of a payment without any', async () => {
    const w = await world();
    await create(w);
    expect(w.charged.map(({ order }) => Object.keys(order).includes('details'))).toEqual([false]);
  });

  it('reach the next provider too when the first one fails', async () => {
    const connections = [aConnection({ id: 'conn_a' }), aConnection({ id: 'conn_b' })];
    const w = await world({ connections, charges: { conn_a: [charges.unreachable()] } });
    await create(w, DETAILS);
    expect([w.charged.map(({ connection }) => connection), sentDetails(w)]).toEqual([
      ['conn_a', 'conn_b'],
      [DETAILS, DETAILS],
    ]);
  });

  it('of an intent are sealed until its confirmation, which replaces the fields that it sends', async () => {
    const w = await world();
    const { id } = await anIntent(w, DETAILS);
    const sealed = await w.stored(id);
    expect((await openInstrument(sealed, w.deps)).details).toEqual(DETAILS);
    await confirm(w, { id, billing: { name: 'Ada Doe' } });
    expect(sentDetails(w)).toEqual([{ ...DETAILS, billing: { name: 'Ada Doe' } }]);
  });

  it.each<[string, Partial<CreatePaymentInput>, Omit<ConfirmInput, 'id'>, PaymentDetails]>([
    ['of the intent without its method', { payment_method: { type: 'card' }, ...DETAILS }, {}, DETAILS],
    ['of the confirmation alone', {}, DETAILS, DETAILS],
    [
      'of the intent, with the method of the confirmation',
      DETAILS,
      { payment_method: { type: 'card', tokens: { stripe: 'pm_other' } } },
      DETAILS,
    ],
  ])('are sent if they are %s', async (_, about, confirmation, expected) => {
    const w = await world();
    const { id } = await anIntent(w, about);
    await confirm(w, { id, ...confirmation });
    expect(sentDetails(w)).toEqual([expected]);
  });

  it('stay for a retry, also with another payment method, and a retry may replace them', async () => {
    const declined = charges.declined('insufficient_funds');
    const w = await world({ charges: { conn_a: [declined, declined, charges.approved()] } });
    const { id } = await create(w, DETAILS);
    await retryPayment({ id, payment_method: { type: 'card', tokens: { stripe: 'pm_other' } } }, w.caller(), w.deps);
    await retryPayment({ id, shipping: { name: 'Lee' } }, w.caller(), w.deps);
    expect(sentDetails(w)).toEqual([DETAILS, DETAILS, { ...DETAILS, shipping: { name: 'Lee' } }]);
    expect(w.charged.map(({ order }) => order.paymentMethod.token)).toEqual(['pm_saved', 'pm_other', 'pm_other']);
  });

  it('are refused together if they contradict the order or each other, and nothing is stored', async () => {
    const w = await world();
    const line = { name: 'Tea', quantity: 2, unit_amount: 2_000, total_amount: 4_000 };
    const attempt = create(w, { order: { lines: [line], shipping_amount: 500 }, browser: BROWSER, ...MIT });
    await expect(attempt).rejects.toMatchObject({
      code: 'invalid_request',
      details: { fields: [{ path: 'browser' }, { path: 'order.lines' }] },
    });
    expect((await w.deps.payments.list(w.caller().orgId, ['conn_a'], { limit: 10, offset: 0 })).items).toEqual([]);
  });
});

const BROWSER = {
  user_agent: 'Mozilla/5.0',
  accept_header: '*/*',
  language: 'de-DE',
  color_depth: 24,
  screen_height: 900,
  screen_width: 1_440,
  time_zone_offset: -60,
  java_enabled: false,
  javascript_enabled: true,
  origin: 'https://shop.example',
};

describe('the return page', () => {
  const failed = async (about: Partial<CreatePaymentInput>) => {
    const w = await world({ charges: { conn_a: [charges.declined('insufficient_funds')] } });
    const { id } = await create(w, about);
    return mayCustomerRetry(await w.stored(id), w.clock.now());
  };

  it("offers another try where the customer chose the card on the provider's page, also with details", async () => {
    expect(await failed({ payment_method: { type: 'card' } })).toBe(true);
    expect(await failed({ payment_method: { type: 'card' }, ...DETAILS })).toBe(true);
  });

  it('offers none with the token of a card that will not be approved', async () => {
    expect([await failed({}), await failed(DETAILS)]).toEqual([false, false]);
  });

  it('offers none for a payment that the merchant initiated', async () => {
    const declined = charges.declined('issuer_unavailable');
    const [own, mit] = [
      await world({ charges: { conn_a: [declined] } }),
      await world({ charges: { conn_a: [declined] } }),
    ];
    const [byCustomer, byMerchant] = [await create(own, DETAILS), await create(mit, MIT)];
    expect([
      mayCustomerRetry(await own.stored(byCustomer.id), own.clock.now()),
      mayCustomerRetry(await mit.stored(byMerchant.id), mit.clock.now()),
    ]).toEqual([true, false]);
  });
});

describe('a payment that the merchant initiates', () => {
  it('is charged off-session, with its reason and the transaction in which the customer agreed', async () => {
    const w = await world();
    expect((await create(w, MIT)).status).toBe('succeeded');
    expect(w.charged).toMatchObject([{ order: { offSession: true, details: { mit: MIT.mit } } }]);
  });

  it('is refused with a token that was made for one charge, and nothing is sent', async () => {
    const w = await world();
    const single = { payment_method: { type: 'card', tokens: { stripe: 'tok_1' } } };
    await expect(create(w, { ...MIT, ...single })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { fields: [{ path: 'payment_method.token' }] },
    });
    await expect(create(w, { ...MIT, payment_method: { type: 'card' } })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(w.charged).toEqual([]);
  });

  it('is sent again with the customer, and without the mark, if the issuer wants them', async () => {
    const w = await world({ charges: { conn_a: [charges.declined('authentication_required'), charges.pending()] } });
    await create(w, { ...DETAILS, ...MIT, sca: { exemption: 'low_value' } });
    expect(w.charged.map(({ order }) => [order.offSession, order.details?.mit, order.details?.billing])).toEqual([
      [true, MIT.mit, DETAILS.billing],
      [false, undefined, DETAILS.billing],
    ]);
  });

  it("cannot be confirmed in the customer's browser, as the customer is there", async () => {
    const w = await world();
    const { id } = await anIntent(w, MIT);
    await expect(confirmPayment({ id }, w.caller({ kind: 'public' }), w.deps)).rejects.toMatchObject({
      code: 'payment_not_confirmable',
    });
    expect((await confirm(w, { id })).status).toBe('succeeded');
    expect(w.charged).toMatchObject([{ order: { offSession: true } }]);
  });
});
