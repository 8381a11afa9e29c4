import { paystack } from '#shared/psp/paystack/adapter.ts';
import type { CannedResponse } from '#test/contract/canned-server.ts';
import { paystackCheck } from '#test/contract/paystack-requests.support.ts';
import { type DetailsDialect, FULL_DETAILS } from '#test/contract/psp-details.contract.ts';
import authorized from '#test/fixtures/paystack/charge-authorized.json' with { type: 'json' };
import page from '#test/fixtures/paystack/page-opened.json' with { type: 'json' };
import verified from '#test/fixtures/paystack/transaction-verified.json' with { type: 'json' };

type Credentials = Parameters<typeof paystack.ping>[0]['credentials'];

const of = <T extends { data: object }>(reply: T, fields: object): CannedResponse => ({
  body: { ...reply, data: { ...reply.data, amount: 1099, currency: 'EUR', ...fields } },
});
const charged = (fields: object = {}) => of(authorized, fields);
const { authorization } = authorized.data;
const card = (fields: object) => charged({ authorization: { ...authorization, reusable: false, ...fields } });
const TOLD = {
  card: { brand: 'visa', last4: '4081', funding: 'debit', issuer_country: 'NG', exp_month: 12, exp_year: 2030 },
} as const;
const saved = { authorization_code: authorization.authorization_code, email: 'kim@example.com' };

export const paystackDetails: DetailsDialect<Credentials> = {
  adapter: paystack,
  credentials: { secret_key: 'sk_test_CANARYSECRETKEY' },
  token: 'AUTH_CANARYTOKEN',
  reference: authorized.data.reference,
  approved: [charged({ authorization: {} })],
  hosted: [{ body: page }],
  sends: [
    {
      title: 'sends none of them with a stored card, as Paystack has no fields for them',
      order: { details: FULL_DETAILS },
      notSent: ['billing', 'phone', 'first_name', 'metadata.billing', 'birthday', 'device_id'],
    },
    {
      title: 'takes no phone of a billing address for the one that is to pay',
      order: {
        method: 'mobile_money',
        currency: 'GHS',
        paymentMethod: { type: 'mobile_money', network: 'mtn' },
        details: FULL_DETAILS,
      },
      sent: { channels: ['mobile_money'] },
      notSent: ['mobile_money'],
    },
  ],
  reports: [
    { title: 'tells the card of a success', responses: [card({})], network: TOLD },
    {
      title: 'tells the card of a charge that is looked up',
      from: 'fetch',
      responses: [of(verified, { authorization: { ...authorization, card_type: 'visa ', brand: null } })],
      network: { card: { brand: 'visa', last4: '4081', issuer_country: 'NG', exp_month: 12, exp_year: 2030 } },
    },
    {
      title: 'tells a security code that did not match',
      responses: [
        charged({
          status: 'failed',
          gateway_response: 'Invalid CVV',
          authorization: { ...authorization, last4: null },
        }),
      ],
      network: {
        cvc: 'mismatch',
        card: { brand: 'visa', funding: 'debit', issuer_country: 'NG', exp_month: 12, exp_year: 2030 },
      },
    },
    {
      title: 'tells nothing of a phone that has paid',
      responses: [
        charged({
          channel: 'mobile_money',
          authorization: { ...authorization, channel: 'mobile_money', brand: 'Mtn', last4: '4987', reusable: false },
        }),
      ],
      network: undefined,
    },
  ],
  garbled: [
    charged({
      authorization: {
        channel: 'card',
        brand: 'card',
        card_type: 'none',
        last4: 'X1',
        country_code: 'NGA',
        exp_month: '00',
        exp_year: '1999',
        reusable: 'yes',
      },
    }),
  ],
  saves: [
    {
      title: 'keeps every card that Paystack calls reusable, with the address that paid',
      method: 'card',
      responses: [charged()],
      sent: { authorization_code: 'AUTH_CANARYTOKEN' },
      saved,
    },
    {
      title: 'keeps the card that was entered on the page',
      method: 'card',
      order: { paymentMethod: { type: 'card' } },
      responses: [{ body: page }],
      sent: { channels: ['card'] },
      toldBy: 'fetch',
      fetched: { reference: authorized.data.reference, responses: [of(verified, {})] },
      saved,
    },
  ],
  unsaved: { method: 'card', responses: [card({})] },
  check: paystackCheck,
};
