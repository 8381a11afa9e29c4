import { describe, expect, it, onTestFinished } from 'vitest';
import type { ChargeOrder, PspOutcome } from '#shared/ports/psp.port.ts';
import { openTestbed, type Testbed } from '#test/contract/dispute-journeys.support.ts';
import { FULL_DETAILS, SAVE } from '#test/contract/psp-details.contract.ts';

type Journey = {
  readonly provider: string;
  readonly method: string;
  /** Default: EUR. */
  readonly currency?: string;
  readonly token?: ChargeOrder['paymentMethod']['token'];
  /** What the simulator tells of the card that pays. Nothing of an account. */
  readonly card?: object;
};

/** One charge of each kind that keeps its method. A provider that `savesMethods` has a row for each. */
const CARD = { encryptedCardNumber: 'adyenjs_1', encryptedExpiryMonth: 'adyenjs_2', encryptedExpiryYear: 'adyenjs_3' };
const ADYEN_CARD = { brand: 'visa', last4: '1142', funding: 'credit', issuer_country: 'NL', exp_year: 2030 };
const MOLLIE_CARD = { brand: 'mastercard', last4: '4444', funding: 'credit', issuer_country: 'NL', exp_year: 2030 };
const PAYSTACK_CARD = { brand: 'visa', last4: '4081', issuer_country: 'NG', exp_month: 12, exp_year: 2030 };
const FLUTTERWAVE_CARD = { brand: 'mastercard', last4: '2950', issuer_country: 'NG', exp_month: 9, exp_year: 2032 };
const STRIPE_CARD = { brand: 'visa', last4: '4242', funding: 'credit', issuer_country: 'DE', exp_year: 2099 };
const CHECKOUT_CARD = { brand: 'visa', last4: '4242', funding: 'credit', issuer_country: 'GB', exp_year: 2099 };
const JOURNEYS: readonly Journey[] = [
  { provider: 'stripe', method: 'card', token: 'pm_card_de', card: STRIPE_CARD },
  { provider: 'stripe', method: 'card', card: { ...STRIPE_CARD, issuer_country: 'US' } },
  { provider: 'stripe', method: 'wallet', token: 'pm_card_de', card: STRIPE_CARD },
  { provider: 'stripe', method: 'sepa_debit', token: 'ok' },
  { provider: 'checkout', method: 'card', token: 'tok_nwd3m4in3hkuddfpjsaevunhdy', card: CHECKOUT_CARD },
  { provider: 'checkout', method: 'card', card: CHECKOUT_CARD },
  { provider: 'checkout', method: 'wallet', token: 'tok_nwd3m4in3hkuddfpjsaevunhdz', card: CHECKOUT_CARD },
  { provider: 'checkout', method: 'wallet', card: CHECKOUT_CARD },
  { provider: 'adyen', method: 'card', token: CARD, card: ADYEN_CARD },
  { provider: 'adyen', method: 'wallet', token: { applePayToken: 'ok' }, card: ADYEN_CARD },
  { provider: 'adyen', method: 'card', card: ADYEN_CARD },
  { provider: 'adyen', method: 'sepa_debit', token: { iban: 'DE02120300000000202051', ownerName: 'A B' } },
  { provider: 'paypal', method: 'wallet' },
  { provider: 'mollie', method: 'card', token: 'tkn_1', card: MOLLIE_CARD },
  { provider: 'mollie', method: 'card', card: MOLLIE_CARD },
  { provider: 'mollie', method: 'ideal' },
  { provider: 'mollie', method: 'paypal' },
  { provider: 'paystack', method: 'card', currency: 'NGN', token: 'AUTH_first', card: PAYSTACK_CARD },
  { provider: 'paystack', method: 'card', currency: 'NGN', card: PAYSTACK_CARD },
  { provider: 'flutterwave', method: 'card', token: 'ok', card: FLUTTERWAVE_CARD },
  { provider: 'flutterwave', method: 'card', card: FLUTTERWAVE_CARD },
];

/** What is known of a charge once its customer has acted: from its response, a callback, or a look-up. */
async function settled(bed: Testbed, order: ChargeOrder): Promise<PspOutcome> {
  const { adapter, context, simulators } = bed;
  const { paymentId, attemptId } = order;
  const created = await adapter.create(order, context);
  if (created.kind === 'succeeded') return created;
  simulators.complete(adapter.provider, paymentId, 'succeeded');
  const reported = (await bed.events()).flatMap(({ subject }) =>
    subject.kind === 'payment' && subject.reported ? [subject.reported] : [],
  );
  const told = reported.find(({ kind }) => kind === 'succeeded');
  const reference = 'reference' in created && created.reference;
  if (told || !reference) return told ?? created;
  return adapter.fetch({ reference, paymentId, attemptId, mayCapture: true }, context);
}

async function open({ provider, currency }: Journey): Promise<Testbed> {
  const bed = await openTestbed(provider, { ...(currency && { currency }) });
  onTestFinished(bed.close);
  return bed;
}

const lines = [{ name: 'Mug', quantity: 2, unit_amount: 2_500, total_amount: 5_000, tax_amount: 800, sku: 'mug-1' }];

const orderOf = async (bed: Testbed, { method, token }: Journey): Promise<ChargeOrder> => {
  const { order } = await bed.pay();
  const paymentMethod = { type: method, ...(token !== undefined && { token }) };
  const details = { ...FULL_DETAILS, order: { reference: 'order-1', lines } };
  const number = String(bed.now().getTime()).padStart(26, '0');
  const metadata = { ...order.metadata, payment_id: `pay_${number}` };
  const ids = { paymentId: `pay_${number}`, attemptId: `att_${number}`, metadata };
  return { ...order, ...ids, method, paymentMethod, details, save: SAVE };
};

describe.each(JOURNEYS)('$provider with a $method', (journey) => {
  const { method, card } = journey;

  it('takes all details, tells the card, and keeps the method for charges in the absence of the customer', async () => {
    const bed = await open(journey);
    const order = await orderOf(bed, journey);
    const paid = await settled(bed, order);
    expect(paid).toMatchObject({ kind: 'succeeded', amount: 5_000, ...(card && { network: { card } }) });
    const { saved } = paid;
    if (saved === undefined) throw new Error('Nothing was saved.');
    expect(bed.adapter.isReusableToken(saved, method)).toBe(true);
    const ids = { paymentId: `pay_${'9'.repeat(26)}`, attemptId: `att_${'9'.repeat(26)}` };
    const { details: _, save: __, ...later } = order;
    const again = await settled(bed, {
      ...later,
      ...ids,
      metadata: { ...order.metadata, payment_id: ids.paymentId },
      offSession: true,
      customerIp: null,
      paymentMethod: { type: method, token: saved },
      details: { mit: { reason: 'unscheduled' } },
    });
    expect(again).toMatchObject({ kind: 'succeeded', amount: 5_000 });
    // Some tell a card's token with each charge: then it is the same.
    expect({ saved, ...again }.saved).toEqual(saved);
  });
});

/** Cards whose holder has to authenticate, where the provider tells how that went. */
describe.each([
  { provider: 'stripe', method: 'card', token: 'needs_3ds', eci: '05' },
  { provider: 'checkout', method: 'card', token: 'needs_3ds', eci: '05' },
  { provider: 'mollie', method: 'card', token: 'needs_3ds', eci: '02' },
])('$provider with a $method that needs 3-D Secure', ({ eci, ...journey }) => {
  it('tells the indicator of the authentication, and keeps the card', async () => {
    const bed = await open(journey);
    const paid = await settled(bed, await orderOf(bed, journey));
    expect(paid).toMatchObject({ kind: 'succeeded', network: { eci, card: { last4: expect.any(String) } } });
    expect(bed.adapter.isReusableToken(paid.saved ?? '', 'card')).toBe(true);
  });
});
