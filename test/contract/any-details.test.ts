import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { OrderLine, PaymentDetails } from '#shared/domain/payments/payment-details.model.ts';
import { assertDetailsAgree } from '#shared/domain/payments/payment-details.rules.ts';
import { DETAILS } from '#shared/http/schema/payment-details.schema.ts';
import type { ChargeOrder } from '#shared/ports/psp.port.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';
import { openTestbed, type Payer, type Testbed } from '#test/contract/dispute-journeys.support.ts';
import { SAVE } from '#test/contract/psp-details.contract.ts';

/** A detail helps a charge, and is never why one fails: whatever our API takes, each provider takes or does not get. */
const PAYERS: Readonly<Record<string, Payer>> = {
  razorpay: { currency: 'INR', more: { paymentMethod: { type: 'card', token: 'ok', phone: '+919900000000' } } },
  paystack: { currency: 'NGN' },
};
/** Tokens that can be charged in the absence of the customer. Default: the word. */
const SAVED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mollie: { customer: 'cst_1', mandate: 'ok' },
  razorpay: { token: 'ok', customer_id: 'cust_1', contact: '+919000090000', email: 'kim@example.com' },
};
const AMOUNT = 5_000;
const RUNS = 40;

const Details = z.strictObject(DETAILS);

const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
const CHARACTERS = [...'aZ0 é-ß#/*<"\\😀名Ж.,&:;@'];
const text = (max: number) =>
  fc
    .oneof(
      fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(...CHARACTERS), minLength: max - 5, maxLength: max }),
    )
    .map((each) => [...each.trim()].slice(0, max).join('').trim())
    .filter((each) => each !== '');

const country = fc.constantFrom('DE', 'US', 'GB', 'IE', 'BR', 'HK', 'JP', 'NG', 'IN');
const address = fc.record({
  line1: sometimes(text(200)),
  line2: sometimes(text(200)),
  city: sometimes(text(100)),
  state: sometimes(fc.oneof(text(100), fc.constantFrom('CA', 'BE', 'MH'))),
  postal_code: sometimes(fc.oneof(text(20), fc.constantFrom('10115', 'SW1A 1AA', '94107'))),
  country: sometimes(country),
});
const phone = fc.oneof(
  fc.constantFrom('+4915112345678', '+14155552671', '+353123456', '+442071838750', '+2348012345678'),
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 5, maxLength: 14 }).map((digits) => `+9${digits}`),
);
const contact = fc.record({ name: sometimes(text(200)), phone: sometimes(phone), address: sometimes(address) });
const statement = fc
  .string({ unit: fc.constantFrom(...'aZ09 -#.,&/$%()'), minLength: 1, maxLength: 60 })
  .map((each) => each.trim())
  .filter((each) => each !== '');

const browser = fc.record({
  user_agent: text(300),
  accept_header: text(100),
  language: fc.constantFrom('de', 'en-GB', 'zh-Hant-TW', 'abcdefgh-IJKLMNOP'),
  color_depth: fc.integer({ min: 1, max: 48 }),
  screen_height: fc.integer({ min: 0, max: 999_999 }),
  screen_width: fc.integer({ min: 0, max: 999_999 }),
  time_zone_offset: fc.integer({ min: -840, max: 720 }),
  java_enabled: fc.boolean(),
  javascript_enabled: fc.boolean(),
  origin: sometimes(fc.constantFrom('https://shop.example', 'http://localhost:3000')),
});

const lineOf = (total: number) =>
  fc
    .record({
      name: text(200),
      quantity: fc.constantFrom(1, 1, 2, 5),
      discount: fc.constantFrom(0, 0, 50),
      isTaxed: fc.boolean(),
      sku: sometimes(text(100)),
      kind: sometimes(
        fc.constantFrom('physical', 'digital', 'service', 'gift_card', 'discount', 'shipping') satisfies fc.Arbitrary<
          OrderLine['kind']
        >,
      ),
      url: sometimes(fc.constant('https://shop.example/mug?a=1')),
    })
    .map(({ name, quantity, discount, isTaxed, ...more }): OrderLine => {
      const isWhole = (total + discount) % quantity === 0;
      const units = isWhole ? quantity : 1;
      return {
        name,
        quantity: units,
        unit_amount: (total + discount) / units,
        total_amount: total,
        ...(discount > 0 && { discount_amount: discount }),
        ...(isTaxed && { tax_amount: Math.floor(total / 6) }),
        ...more,
      };
    });
const discount: OrderLine = {
  name: 'Voucher',
  quantity: 1,
  unit_amount: -300,
  total_amount: -300,
  tax_amount: -48,
  kind: 'discount',
};
/** Lines that come to the payment's amount, with a voucher and shipping or without. */
const order = fc
  .record({ first: fc.integer({ min: 0, max: AMOUNT }), hasVoucher: fc.boolean(), hasShipping: fc.boolean() })
  .chain(({ first, hasVoucher, hasShipping }) => {
    const shipping = hasShipping ? 400 : 0;
    const rest = AMOUNT + (hasVoucher ? 300 : 0) - Math.min(first, AMOUNT - shipping) - shipping;
    return fc.record({
      reference: sometimes(text(100)),
      shipping_amount: fc.constant(hasShipping ? shipping : undefined),
      lines: fc
        .tuple(lineOf(Math.min(first, AMOUNT - shipping)), lineOf(rest))
        .map((lines) => (hasVoucher ? [...lines, discount] : lines)),
    });
  });

const sca = fc.record({
  challenge: sometimes(fc.constantFrom('preferred' as const, 'required' as const, 'avoid' as const)),
  exemption: sometimes(
    fc.constantFrom(
      'low_value' as const,
      'transaction_risk_analysis' as const,
      'trusted_beneficiary' as const,
      'secure_corporate' as const,
    ),
  ),
});
const anyDetails = fc.record({
  billing: sometimes(contact),
  shipping: sometimes(contact),
  browser: sometimes(browser),
  statement_descriptor: sometimes(statement),
  statement_descriptor_suffix: sometimes(statement),
  order: sometimes(order),
  sca: sometimes(sca.filter(({ challenge, exemption }) => !(challenge === 'required' && exemption))),
});
const mit = fc.record({
  reason: fc.constantFrom('recurring' as const, 'instalment' as const, 'unscheduled' as const),
  network_transaction_id: sometimes(
    fc.oneof(
      fc.constantFrom('638284745624527', 'MCC1ABCDE0101', 'A/b:c'),
      fc.string({ unit: fc.constantFrom(...'aZ09-_/:+=.'), minLength: 1, maxLength: 100 }),
    ),
  ),
});

/** As our API hands them on: what it refuses is no case of this test. */
function asTaken(details: unknown): PaymentDetails {
  const parsed = Details.parse(JSON.parse(JSON.stringify(details))) as PaymentDetails;
  assertDetailsAgree(parsed, { amount: AMOUNT });
  return parsed;
}

describe.each(PROVIDERS)('%s', (provider) => {
  let bed: Testbed;
  let sample: ChargeOrder;
  let charges = 0;
  beforeAll(async () => {
    bed = await openTestbed(provider, PAYERS[provider] ?? {});
    sample = (await bed.pay()).order;
  });
  afterAll(() => bed.close());

  const charge = async (details: PaymentDetails, more: Partial<ChargeOrder> = {}) => {
    charges += 1;
    const id = `any${String(charges).padStart(23, '0')}`;
    const metadata = { ...sample.metadata, payment_id: `pay_${id}` };
    const ids = { paymentId: `pay_${id}`, attemptId: `att_${id}`, metadata };
    return bed.adapter.create({ ...sample, ...ids, ...more, details }, bed.context);
  };
  const holds = (details: fc.Arbitrary<unknown>, more: Partial<ChargeOrder> = {}, numRuns = RUNS) =>
    fc.assert(
      fc.asyncProperty(details.map(asTaken), async (each) => {
        const { kind } = await charge(each, more);
        expect(kind).not.toBe('declined');
      }),
      { numRuns },
    );

  it('refuses no charge with a token for its details', () => holds(anyDetails));

  it('refuses no charge that keeps its card for its details', () => holds(anyDetails, { save: SAVE }, 10));

  it('refuses no charge on its page for its details, whatever the method', async () => {
    const { token: _, ...paymentMethod } = sample.paymentMethod;
    for (const method of bed.adapter.capabilities.methods) {
      const onPage = { method, paymentMethod: { ...paymentMethod, type: method } };
      const isTaken = await charge({}, onPage).then(
        ({ kind }) => kind !== 'declined',
        () => false,
      );
      if (isTaken) await holds(anyDetails, onPage, 8);
      if (isTaken && bed.adapter.savesMethods?.includes(method)) await holds(anyDetails, { ...onPage, save: SAVE }, 4);
    }
  });

  it('refuses no charge without the customer for its details', () =>
    holds(fc.record({ mit }), {
      offSession: true,
      customerIp: null,
      paymentMethod: { type: 'card', token: SAVED[provider] ?? 'ok' },
    }));
});
