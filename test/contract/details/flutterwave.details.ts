import { flutterwave } from '#shared/psp/flutterwave/adapter.ts';
import type { CannedResponse } from '#test/contract/canned-server.ts';
import { flutterwaveCheck } from '#test/contract/flutterwave-requests.support.ts';
import { type DetailsDialect, FULL_DETAILS } from '#test/contract/psp-details.contract.ts';
import onPhone from '#test/fixtures/flutterwave/charge-awaits-phone.json' with { type: 'json' };
import hosted from '#test/fixtures/flutterwave/hosted-link.json' with { type: 'json' };
import verified from '#test/fixtures/flutterwave/transaction-verified.json' with { type: 'json' };

type Credentials = Parameters<typeof flutterwave.ping>[0]['credentials'];

const SECRET_KEY = 'FLWSECK_TEST-CANARYSECRETKEY';

const ok = (fields: object): CannedResponse => ({
  body: {
    status: 'success',
    message: 'Charge successful',
    data: { ...verified.data, amount: 10.99, charged_amount: 10.99, currency: 'EUR', ...fields },
  },
});
const CARD = {
  first_6digits: '232343',
  last_4digits: '4567',
  issuer: 'FIRST CITY MONUMENT BANK PLC',
  country: 'NIGERIA NG',
  type: 'VERVE',
  token: 'flw-t1nf-CANARYKEPT',
  expiry: '02/29',
};
const { token: _, ...SHOWN } = CARD;
const TOLD = {
  card: { brand: 'verve', last4: '4567', issuer_country: 'NG', exp_month: 2, exp_year: 2029 },
} as const;
const customer = { ...verified.data.customer, email: 'kim@example.com' };
const saved = { token: CARD.token, email: 'kim@example.com' };
const ID = String(verified.data.id);

export const flutterwaveDetails: DetailsDialect<Credentials> = {
  adapter: flutterwave,
  credentials: { secret_key: SECRET_KEY, webhook_secret: 'CANARYWEBHOOKHASH' },
  token: 'flw-t1nf-CANARYTOKEN',
  reference: ID,
  approved: [ok({ card: null })],
  hosted: [{ body: hosted }],
  sends: [
    {
      title: 'names the customer of a token',
      order: { details: FULL_DETAILS },
      sent: { first_name: 'Ada', last_name: 'CANARYNAME' },
      notSent: ['phone_number', 'billing_address', 'browser', 'meta.billing'],
    },
    {
      title: 'gives the page the customer’s name and phone',
      order: { paymentMethod: { type: 'card' }, details: FULL_DETAILS },
      sent: { customer: { email: 'kim@example.com', name: 'Ada CANARYNAME', phonenumber: '+4915112345678' } },
    },
    {
      title: 'charges the phone of the method, and not that of the billing address',
      order: {
        method: 'mobile_money',
        currency: 'KES',
        paymentMethod: { type: 'mobile_money', phone: '+254700000000' },
        details: FULL_DETAILS,
      },
      responses: [{ body: onPhone }],
      sent: { phone_number: '254700000000', fullname: 'Ada CANARYNAME' },
    },
    {
      title: 'leaves out a phone that is no number, and a name without any letter',
      order: { paymentMethod: { type: 'card' }, details: { billing: { name: '  ', phone: '12' } } },
      notSent: ['customer.name', 'customer.phonenumber'],
    },
  ],
  reports: [
    { title: 'tells the card of a success', responses: [ok({ card: SHOWN })], network: TOLD },
    {
      title: 'tells the card of a charge that is looked up',
      from: 'fetch',
      responses: [ok({ card: { ...SHOWN, type: 'MASTERCARD  CREDIT', country: 'DE' } })],
      network: { card: { ...TOLD.card, brand: 'mastercard', funding: 'credit', issuer_country: 'DE' } },
    },
    {
      title: 'tells a security code that did not match',
      responses: [ok({ status: 'failed', processor_response: 'Invalid CVV', card: SHOWN })],
      network: { cvc: 'mismatch', ...TOLD },
    },
    { title: 'tells nothing of a phone that has paid', responses: [ok({ card: undefined })], network: undefined },
  ],
  garbled: [ok({ card: { last_4digits: 45, type: 'Card', country: 'NIGERIA', expiry: '2/2/2', token: 7 } })],
  saves: [
    {
      title: 'keeps each paid card by its token, with the address that paid',
      method: 'card',
      responses: [ok({ card: CARD, customer })],
      sent: { token: 'flw-t1nf-CANARYTOKEN' },
      saved,
    },
    {
      title: 'keeps the card that was entered on the page, and the address without the prefix of test mode',
      method: 'card',
      order: { paymentMethod: { type: 'card' } },
      responses: [{ body: hosted }],
      sent: { payment_options: 'card' },
      toldBy: 'fetch',
      fetched: {
        reference: ID,
        responses: [
          ok({
            tx_ref: 'att_01jc0000000000000000000001',
            card: CARD,
            customer: { ...customer, email: 'ravesb_c1df6545f5b3d1a7a3ee_kim@example.com' },
          }),
        ],
      },
      saved,
    },
  ],
  unsaved: { method: 'card', responses: [ok({ card: SHOWN, customer })] },
  check: () => flutterwaveCheck(SECRET_KEY),
};
