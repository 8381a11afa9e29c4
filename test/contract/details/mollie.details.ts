import { mollie } from '#shared/psp/mollie/adapter.ts';
import type { CannedResponse } from '#test/contract/canned-server.ts';
import { mollieDocument } from '#test/contract/mollie-requests.support.ts';
import { type DetailsDialect, FULL_DETAILS, LONG_DETAILS, SAVE } from '#test/contract/psp-details.contract.ts';
import open from '#test/fixtures/mollie/payment-open.json' with { type: 'json' };

type Credentials = Parameters<typeof mollie.ping>[0]['credentials'];

const {
  isCancelable: _,
  expiresAt: __,
  ...settled
} = {
  ...open,
  amount: { value: '10.99', currency: 'EUR' },
  metadata: { payment_id: 'pay_01jc0000000000000000000001' },
};
const aPayment = (fields: object): CannedResponse => ({ status: 201, body: { ...settled, ...fields } });
const paid = (fields: object = {}) => aPayment({ status: 'paid', ...fields });
const failed = (fields: object) => aPayment({ status: 'failed', ...fields });

const CARD = {
  cardNumber: '6787',
  cardHolder: 'Ada CANARYNAME',
  cardLabel: 'American Express',
  cardFunding: 'credit',
  cardCountryCode: 'NL',
  cardExpiryDate: '09/29',
  cardSecurity: '3dsecure',
  card3dsEci: '5',
  cardBin: '371234',
  cardMaskedNumber: '371234******6787',
};
const TOLD = {
  eci: '05',
  card: { brand: 'amex', last4: '6787', funding: 'credit', issuer_country: 'NL', exp_month: 9, exp_year: 2029 },
} as const;

const MANDATE = { sequenceType: 'first', customerId: 'cst_8wmqcHMN4U', mandateId: 'mdt_h3gAaD5zP' };
const saved = { customer: MANDATE.customerId, mandate: MANDATE.mandateId };
const customer: CannedResponse = { status: 201, body: { resource: 'customer', id: MANDATE.customerId } };
const methods = (...ids: readonly string[]): CannedResponse => ({
  body: { count: ids.length, _embedded: { methods: ids.map((id) => ({ resource: 'method', id })) } },
});
const refused = (status: number): CannedResponse => ({ status, body: { status, title: 'Refused', detail: 'No.' } });

/** A method that is paid on Mollie's page. Its mandate is one for debits. */
const onPage = (method: string, ...types: readonly string[]) => ({
  title: `keeps the mandate of ${method} once the customer has paid on the page`,
  method,
  order: { paymentMethod: { type: method } },
  responses: [methods(...types), customer, aPayment({ ...MANDATE, mandateId: undefined, status: 'open' })],
  sent: { sequenceType: 'first', customerId: MANDATE.customerId },
  toldBy: 'fetch' as const,
  fetched: { reference: open.id, responses: [paid(MANDATE)] },
  saved,
});

const { billing, shipping } = FULL_DETAILS;
const cents = (value: string) => ({ currency: 'EUR', value });

export const mollieDetails: DetailsDialect<Credentials> = {
  adapter: mollie,
  credentials: { api_key: 'test_CANARYAPIKEY' },
  token: 'tkn_CANARYTOKEN',
  reference: open.id,
  approved: [paid()],
  hosted: [{ status: 201, body: open }],
  sends: [
    {
      title: 'sends both addresses, split as Mollie has them',
      order: { details: FULL_DETAILS },
      sent: {
        billingAddress: {
          givenName: 'Ada',
          familyName: 'CANARYNAME',
          email: 'kim@example.com',
          phone: '+4915112345678',
          streetAndNumber: 'CANARYSTREET 1',
          streetAdditional: 'Floor 2',
          postalCode: '10115',
          city: 'Berlin',
          region: 'BE',
          country: 'DE',
        },
        shippingAddress: { givenName: 'Grace', streetAndNumber: 'CANARYSTREET 2', country: 'DE' },
      },
      notSent: ['shippingAddress.email', 'browser', 'sca'],
    },
    {
      title: 'leaves out a postal address that is not whole, and a name that Mollie refuses',
      order: { details: { billing: { name: '7 of Nine', address: { city: 'Berlin' }, phone: '+4915112345678' } } },
      sent: { billingAddress: { email: 'kim@example.com', phone: '+4915112345678' } },
      notSent: ['billingAddress.city', 'billingAddress.givenName'],
    },
    {
      title: 'leaves out an address without any way to reach the customer',
      order: { customerEmail: null, details: { billing: { name: 'Ada Byron' }, shipping: { phone: '+4930901820' } } },
      notSent: ['billingAddress', 'shippingAddress'],
    },
    {
      title: 'lets Mollie mail nobody about a bank transfer',
      order: { method: 'bank_transfer', paymentMethod: { type: 'bank_transfer' }, details: { billing } },
      sent: { billingAddress: { city: 'Berlin' } },
      notSent: ['billingAddress.email'],
    },
    {
      title: 'writes what is for the statement before the description, in the one field that Mollie has',
      order: { details: FULL_DETAILS },
      sent: { description: 'SHOP EXAMPLE ORDER 1 Order 1' },
    },
    {
      title: 'sends lines with the tax that follows from its rate',
      order: { details: FULL_DETAILS },
      sent: {
        lines: [
          {
            type: 'physical',
            description: 'Mug',
            quantity: 2,
            unitPrice: cents('5.00'),
            totalAmount: cents('10.00'),
            vatRate: '19.05',
            vatAmount: cents('1.60'),
            sku: 'mug-1',
          },
          { type: 'shipping_fee', totalAmount: cents('0.99') },
        ],
      },
    },
    {
      title: 'sends a discount as a negative line, and the shipping as a line of its own',
      order: {
        details: {
          order: {
            shipping_amount: 199,
            lines: [
              { name: 'Mug', quantity: 1, unit_amount: 1000, total_amount: 1000, tax_amount: 0 },
              {
                name: 'Voucher',
                quantity: 1,
                unit_amount: -100,
                total_amount: -100,
                tax_amount: -16,
                kind: 'discount',
              },
            ],
          },
        },
      },
      sent: {
        lines: [
          { vatRate: '0.00', vatAmount: cents('0.00') },
          { type: 'discount', unitPrice: cents('-1.00'), vatRate: '19.05', vatAmount: cents('-0.16') },
          { type: 'shipping_fee', description: 'Shipping', totalAmount: cents('1.99') },
        ],
      },
    },
    {
      title: 'names what is sold no discount and no gift card, which Mollie takes off the amount',
      order: {
        details: {
          order: {
            lines: [
              { name: 'Gift card', quantity: 1, unit_amount: 1099, total_amount: 1099, kind: 'gift_card' },
              { name: 'Voucher', quantity: 1, unit_amount: 0, total_amount: 0, kind: 'discount' },
            ],
          },
        },
      },
      sent: { lines: [{ type: 'digital', unitPrice: cents('10.99') }, { unitPrice: cents('0.00') }] },
      notSent: ['lines.1.type'],
    },
    {
      title: 'leaves out lines that are not worth the payment',
      order: { amount: 1098, details: FULL_DETAILS },
      notSent: ['lines'],
    },
    {
      title: 'leaves out a tax that no rate gives',
      order: {
        details: {
          order: { lines: [{ name: 'A', quantity: 1, unit_amount: 1099, total_amount: 1099, tax_amount: -1 }] },
        },
      },
      notSent: ['lines.0.vatAmount'],
    },
    {
      title: 'takes a text of any length and any characters for the statement',
      order: { details: LONG_DETAILS },
      sent: { lines: [{ quantity: 1 }] },
    },
    {
      title: 'makes no first payment of a charge that is captured later',
      order: { capture: 'manual', save: SAVE, details: { shipping } },
      sent: { captureMode: 'manual' },
      notSent: ['sequenceType', 'customerId'],
    },
  ],
  reports: [
    { title: 'tells the card of a success', responses: [paid({ details: CARD })], network: TOLD },
    {
      title: 'tells the card of a charge that is looked up',
      from: 'fetch',
      responses: [paid({ details: CARD })],
      network: TOLD,
    },
    {
      title: 'tells the issuer’s code of a refused card',
      responses: [failed({ details: CARD, statusReason: { code: 'lost_card', message: 'Lost.' } })],
      network: { network_decline_code: '41', ...TOLD },
    },
    {
      title: 'tells a security code that did not match',
      responses: [failed({ details: { failureReason: 'invalid_cvv', cardLabel: 'Visa' } })],
      network: { cvc: 'mismatch', card: { brand: 'visa' } },
    },
    {
      title: 'tells the bank’s code of a debit that came back',
      responses: [failed({ details: { bankReasonCode: 'AM04', consumerAccount: 'NL53INGB0000000000' } })],
      network: { network_decline_code: 'AM04' },
    },
    {
      title: 'tells nothing of an account that is no card',
      responses: [paid({ details: { consumerName: 'Ada CANARYNAME', consumerAccount: 'NL53INGB0000000000' } })],
      network: undefined,
    },
  ],
  garbled: [
    paid({
      details: {
        cardNumber: '47',
        cardLabel: 'Card',
        cardFunding: 'deferred-debit',
        cardCountryCode: 'NLD',
        cardExpiryDate: '13/x',
        card3dsEci: 'yes',
        bankReasonCode: 'a long text about it',
      },
    }),
  ],
  saves: [
    {
      title: 'keeps a card with the mandate of a first payment',
      method: 'card',
      responses: [methods('creditcard'), customer, paid(MANDATE)],
      sent: { method: 'creditcard', cardToken: 'tkn_CANARYTOKEN', sequenceType: 'first', customerId: saved.customer },
      saved,
    },
    {
      title: 'keeps a card for the customer that the token names',
      method: 'card',
      order: { paymentMethod: { type: 'card', token: { customer: MANDATE.customerId } } },
      responses: [methods('creditcard'), paid(MANDATE)],
      sent: { sequenceType: 'first', customerId: saved.customer },
      saved,
    },
    onPage('wallet', 'applepay', 'paypal'),
    onPage('ideal', 'ideal'),
    onPage('bancontact', 'bancontact'),
    onPage('eps', 'eps'),
    onPage('kbc', 'kbc'),
    onPage('belfius', 'belfius'),
    onPage('paypal', 'paypal'),
  ],
  unsaved: { method: 'card', responses: [methods('ideal'), paid()] },
  refusedSave: { method: 'card', responses: [methods('creditcard'), refused(422), paid()] },
  check: () => mollieDocument().check,
};
