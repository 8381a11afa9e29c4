import { razorpay } from '#shared/psp/razorpay/adapter.ts';
import type { CannedResponse } from '#test/contract/canned-server.ts';
import { type DetailsDialect, FULL_DETAILS } from '#test/contract/psp-details.contract.ts';
import { factsCheck } from '#test/contract/razorpay-requests.support.ts';
import order from '#test/fixtures/razorpay/order-created.json' with { type: 'json' };
import captured from '#test/fixtures/razorpay/payment-captured.json' with { type: 'json' };
import failed from '#test/fixtures/razorpay/payment-failed.json' with { type: 'json' };
import link from '#test/fixtures/razorpay/payment-link-created.json' with { type: 'json' };

type Credentials = Parameters<typeof razorpay.ping>[0]['credentials'];

const body = (fields: object): CannedResponse => ({ body: fields });
const begun = body({ razorpay_payment_id: captured.id });
const paid = (fields: object = {}): readonly CannedResponse[] => [
  body(order),
  begun,
  body({ ...captured, amount: 1099, currency: 'EUR', ...fields }),
];

const CARD = {
  id: 'card_Rb7XmAqWsEd4Rf',
  entity: 'card',
  name: 'Ada CANARYNAME',
  last4: '0153',
  network: 'American Express',
  type: 'debit',
  issuer: 'UTIB',
};
const TOLD = { card: { brand: 'amex', last4: '0153', funding: 'debit' } } as const;

const { browser, billing } = FULL_DETAILS;

export const razorpayDetails: DetailsDialect<Credentials> = {
  adapter: razorpay,
  credentials: { key_id: 'rzp_test_1', key_secret: 'CANARYKEYSECRET', webhook_secret: 'CANARYWEBHOOK' },
  token: { token: 'token_CANARYTOKEN', customer_id: 'cust_1', contact: '+919876543210' },
  reference: captured.id,
  approved: paid(),
  hosted: [body(link)],
  sends: [
    {
      title: 'sends the browser with a saved card',
      order: { details: FULL_DETAILS },
      sent: {
        authentication: { authentication_channel: 'browser' },
        browser: {
          java_enabled: false,
          javascript_enabled: true,
          timezone_offset: -120,
          color_depth: 24,
          screen_width: 1920,
          screen_height: 1080,
          language: 'de-DE',
        },
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
        referer: 'https://shop.example',
        contact: '+919876543210',
      },
      notSent: ['billing_address', 'shipping_address', 'line_items', 'sca'],
    },
    {
      title: 'leaves out a language that is too long for Razorpay',
      order: { details: { browser: { ...browser!, language: 'zh-Hans-CN' } } },
      sent: { user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
      notSent: ['browser.language'],
    },
    {
      title: 'sends no browser for UPI, and charges the phone of the method',
      order: { method: 'upi', paymentMethod: { type: 'upi', phone: '+919876543210' }, details: FULL_DETAILS },
      responses: paid(),
      sent: { method: 'upi', contact: '+919876543210', email: 'kim@example.com' },
      notSent: ['browser', 'user_agent'],
    },
    {
      title: 'stays on the page if only the billing address has a phone, as the account may have no direct charges',
      order: { method: 'upi', paymentMethod: { type: 'upi' }, details: FULL_DETAILS },
      sent: { reference_id: 'att_01jc0000000000000000000001', customer: { contact: '+4915112345678' } },
      notSent: ['upi'],
    },
    {
      title: 'charges a token without a phone with that of the billing address',
      order: { paymentMethod: { type: 'card', token: 'token_CANARYTOKEN' }, details: FULL_DETAILS },
      sent: { token: 'token_CANARYTOKEN', contact: '+4915112345678' },
    },
    {
      title: 'names the customer on the page',
      order: { paymentMethod: { type: 'card' }, details: { billing: { ...billing, phone: '123' } } },
      sent: { customer: { name: 'Ada CANARYNAME', email: 'kim@example.com' } },
      notSent: ['customer.contact'],
    },
    {
      title: 'gives the page the phone of the billing address',
      order: { paymentMethod: { type: 'card' }, details: { billing: { phone: '+4915112345678' } } },
      sent: { customer: { contact: '+4915112345678' } },
      notSent: ['customer.name'],
    },
  ],
  reports: [
    { title: 'tells the card, which the look-up asks for', responses: paid({ card: CARD }), network: TOLD },
    {
      title: 'tells the card of a charge that is looked up',
      from: 'fetch',
      responses: [body({ ...captured, card: CARD })],
      network: TOLD,
    },
    {
      title: 'tells the card of a refusal, and a security code that did not match',
      from: 'fetch',
      responses: [body({ ...failed, id: captured.id, error_reason: 'incorrect_cvv', card: CARD })],
      network: { cvc: 'mismatch', ...TOLD },
    },
    {
      title: 'tells nothing of the bank’s own numbers',
      responses: paid({ acquirer_data: { auth_code: '064381', rrn: '033811111111' }, card: null }),
      network: undefined,
    },
  ],
  garbled: paid({ card: { network: 'Unknown', last4: '01', type: 'charge' }, token_id: 7, customer_id: 'nobody' }),
  saves: [],
  check: factsCheck,
};
