import { checkout } from '#shared/psp/checkout/adapter.ts';
import type { CannedResponse } from '#test/contract/canned-server.ts';
import { checkoutCheck } from '#test/contract/checkout-openapi.ts';
import { type DetailsDialect, FULL_DETAILS } from '#test/contract/psp-details.contract.ts';
import page from '#test/fixtures/checkout/hosted-page.json' with { type: 'json' };
import pageCreated from '#test/fixtures/checkout/hosted-page-created.json' with { type: 'json' };
import authorized from '#test/fixtures/checkout/payment-authorized.json' with { type: 'json' };
import captured from '#test/fixtures/checkout/payment-captured.json' with { type: 'json' };
import declined from '#test/fixtures/checkout/payment-declined.json' with { type: 'json' };

type Credentials = Parameters<typeof checkout.ping>[0]['credentials'];

const TOKEN = 'tok_CANARYTOKENaaaaaaaaaaaaaaa';
const SOURCE = 'src_nwd3m4in3hkuddfpjsaevunhdy';
const VISA = {
  id: SOURCE,
  type: 'card',
  scheme: 'Visa',
  last4: '4242',
  card_type: 'CREDIT',
  issuer_country: 'GB',
  expiry_month: 8,
  expiry_year: 2030,
  avs_check: 'A',
  cvv_check: 'Y',
};
const VISA_REPORT = {
  avs: { code: 'A', address: 'match', postal_code: 'mismatch' },
  cvc: 'match',
  card: { brand: 'visa', last4: '4242', funding: 'credit', issuer_country: 'GB', exp_month: 8, exp_year: 2030 },
} as const;
const APPROVED_REPORT = { network_transaction_id: '638284745624527', eci: '05', ...VISA_REPORT } as const;
const SAVED = { id: SOURCE, previous_payment_id: captured.id };

const untold = { source: undefined, eci: undefined, scheme_id: undefined, '3ds': undefined, processing: undefined };
const paid = (fields: object): CannedResponse => ({ body: { ...captured, ...untold, ...fields } });
const refused = (fields: object): CannedResponse => ({
  status: 201,
  body: { ...declined, ...untold, response_code: '20051', ...fields },
});
const told = { source: VISA, eci: '05', scheme_id: '638284745624527' };

const details = FULL_DETAILS;
const onPage = { paymentMethod: { type: 'card' } };
const saved = (token: string | Readonly<Record<string, string>>) => ({ type: 'card', token });
const lines = FULL_DETAILS.order?.lines ?? [];
const ADDRESS = {
  address_line1: 'CANARYSTREET 1',
  address_line2: 'Floor 2',
  city: 'Berlin',
  state: 'BE',
  zip: '10115',
  country: 'DE',
};
const PHONE = { country_code: '+49', number: '15112345678' };
const SHIPPING = { address: { address_line1: 'CANARYSTREET 2', city: 'Hamburg', zip: '20095', country: 'DE' } };

export const checkoutDetails: DetailsDialect<Credentials> = {
  adapter: checkout,
  credentials: {
    secret_key: 'sk_sbox_CANARYSECRETKEYaaaaaaaaaaaa',
    processing_channel_id: 'pc_hpswyyx23geezflc2ocz3exn4y',
    host_prefix: 'demo1234',
    webhook_secret: 'CANARY-SIGNATURE-KEY',
    statement_city: 'Berlin',
  },
  token: TOKEN,
  reference: captured.id,
  approved: [paid({})],
  hosted: [{ status: 201, body: pageCreated }],
  sends: [
    {
      title: 'sends the address and the phone of the owner of a token',
      order: { details },
      sent: { source: { type: 'token', billing_address: ADDRESS, phone: PHONE } },
    },
    {
      title: 'sends the same to a page, and the country of the payment without one',
      order: { ...onPage, details },
      sent: { billing: { address: ADDRESS, phone: PHONE } },
    },
    {
      title: 'bills the country of the payment on a page, if the details have none',
      order: { ...onPage, details: { billing: { address: { city: 'Berlin' } } } },
      sent: { billing: { address: { city: 'Berlin', country: 'DE' } } },
    },
    {
      title: 'opens a page with the country of the details, if the payment has none',
      order: { ...onPage, country: null, details: { billing: { address: { country: 'FR' } } } },
      sent: { billing: { address: { country: 'FR' } } },
    },
    {
      title: 'sends the name of the customer beside the mail address',
      order: { details },
      sent: { customer: { email: 'kim@example.com', name: 'Ada CANARYNAME' } },
    },
    { title: 'sends no name alone', order: { customerEmail: null, details }, notSent: ['customer'] },
    ...[{}, onPage].map((way) => ({
      title: `sends where the parcel goes, ${way === onPage ? 'with a page' : 'with a token'}`,
      order: { ...way, details },
      sent: { shipping: { ...SHIPPING, phone: { country_code: '+49', number: '30901820' } } },
    })),
    {
      title: 'leaves out addresses without a country, and phones that are too short',
      order: { details: { billing: { phone: '+3531234', address: { city: 'Cork' } }, shipping: { name: 'Kim' } } },
      notSent: ['source.billing_address', 'source.phone', 'shipping'],
    },
    ...[{}, onPage].map((way) => ({
      title: `sends the statement with the city of the connection, ${way === onPage ? 'with a page' : 'with a token'}`,
      order: { ...way, details },
      sent: { billing_descriptor: { name: 'SHOP EXAMPLE ORDER 1', city: 'Berlin' } },
    })),
    {
      title: 'sends the lines of an order',
      order: { details },
      sent: {
        items: [
          { name: 'Mug', quantity: 2, unit_price: 500, reference: 'mug-1' },
          { name: 'Parcel', quantity: 1, unit_price: 99 },
        ],
      },
    },
    {
      title: 'leaves out lines with a discount',
      order: {
        details: { order: { lines: [{ ...lines[0]!, unit_amount: 600, discount_amount: 101, total_amount: 1099 }] } },
      },
      notSent: ['items'],
    },
    ...(
      [
        ['preferred', 'challenge_requested'],
        ['required', 'challenge_requested_mandate'],
        ['avoid', 'no_challenge_requested'],
      ] as const
    ).map(([challenge, sent]) => ({
      title: `says that a challenge is ${challenge}`,
      order: { details: { sca: { challenge } } },
      sent: { '3ds': { enabled: true, challenge_indicator: sent } },
    })),
    {
      title: 'says that a challenge is required on a page, and names no exemption there',
      order: { ...onPage, details: { sca: { challenge: 'required', exemption: 'low_value' } } },
      sent: { '3ds': { enabled: true, challenge_indicator: 'challenge_requested_mandate' } },
      notSent: ['3ds.exemption'],
    },
    ...(
      [
        ['low_value', 'low_value'],
        ['transaction_risk_analysis', 'transaction_risk_assessment'],
        ['trusted_beneficiary', 'trusted_listing'],
        ['secure_corporate', 'secure_corporate_payment'],
      ] as const
    ).map(([exemption, sent]) => ({
      title: `asks for the exemption ${exemption}`,
      order: { details: { sca: { exemption } } },
      sent: { '3ds': { enabled: true, exemption: sent } },
    })),
    ...(
      [
        ['recurring', 'Recurring'],
        ['instalment', 'Installment'],
        ['unscheduled', 'Unscheduled'],
      ] as const
    ).map(([reason, sent]) => ({
      title: `says that a charge without the customer is ${reason}, and refers to a payment made elsewhere`,
      order: {
        offSession: true,
        paymentMethod: saved(SOURCE),
        details: { mit: { reason, network_transaction_id: '638284745624527' } },
      },
      sent: { merchant_initiated: true, payment_type: sent, previous_payment_id: '638284745624527' },
    })),
    {
      title: 'refers to the payment that the token names before one made elsewhere',
      order: {
        offSession: true,
        paymentMethod: saved(SAVED),
        details: { mit: { reason: 'recurring', network_transaction_id: '638284745624527' } },
      },
      sent: { previous_payment_id: captured.id },
    },
  ],
  reports: [
    { title: 'tells what the network and the card are', responses: [paid(told)], network: APPROVED_REPORT },
    {
      title: 'tells the same of a look-up',
      from: 'fetch',
      responses: [paid({ ...told, eci: undefined, '3ds': { eci: '5' } })],
      network: APPROVED_REPORT,
    },
    {
      title: 'tells the same of a page that was paid on',
      from: 'fetch',
      reference: page.id,
      responses: [{ body: { ...page, status: 'Payment Received', payment_id: captured.id } }, paid(told)],
      network: APPROVED_REPORT,
    },
    {
      title: 'tells the same of a search',
      from: 'find',
      responses: [
        { body: { total_count: 1, data: [{ ...captured, ...told, reference: 'att_01jc0000000000000000000001' }] } },
      ],
      network: { ...APPROVED_REPORT },
    },
    {
      title: 'tells the same of a charge that is captured later',
      order: { capture: 'manual' },
      responses: [{ status: 201, body: { ...authorized, ...untold, ...told } }],
      network: APPROVED_REPORT,
    },
    {
      title: 'tells the codes of a decline, and the card',
      responses: [
        refused({
          source: VISA,
          processing: { partner_response_code: '51', partner_merchant_advice_code: '24', recommendation_code: '02' },
        }),
      ],
      network: { network_decline_code: '51', advice_code: '24', ...VISA_REPORT },
    },
    {
      title: 'tells the codes that only the list of actions has',
      from: 'fetch',
      responses: [
        { body: { ...declined, ...untold, response_code: undefined, source: VISA } },
        {
          body: [
            {
              id: 'act_1',
              type: 'Authorization',
              approved: false,
              response_code: '20005',
              processing: { partner_response_code: '05' },
            },
          ],
        },
      ],
      network: { network_decline_code: '05', ...VISA_REPORT },
    },
    {
      title: 'tells of an American Express card what was checked beside its name',
      responses: [paid({ source: { scheme: 'American Express', avs_check: 'AE3' } })],
      network: { avs: { code: 'AE3', address: 'match' }, card: { brand: 'amex' } },
    },
    {
      title: 'tells no result of a security code that was not checked',
      responses: [paid({ source: { ...VISA, avs_check: 'U', cvv_check: 'N', card_type: 'DEFERRED DEBIT' } })],
      network: {
        avs: { code: 'U', address: 'unchecked', postal_code: 'unchecked' },
        cvc: 'unchecked',
        card: { brand: 'visa', last4: '4242', issuer_country: 'GB', exp_month: 8, exp_year: 2030 },
      },
    },
  ],
  garbled: [
    paid({
      eci: 'high',
      scheme_id: 'a'.repeat(200),
      processing: { partner_response_code: 'x'.repeat(99), partner_merchant_advice_code: {} },
      source: {
        id: 7,
        scheme: 'unknown',
        last4: 42,
        card_type: 'PLASTIC',
        issuer_country: 'England',
        expiry_month: '**',
        expiry_year: '****',
        avs_check: 'AA',
        cvv_check: ['Y'],
      },
    }),
  ],
  saves: [
    {
      title: 'keeps a card, and asks for the challenge that later charges need',
      method: 'card',
      responses: [paid({ source: { id: SOURCE } })],
      sent: {
        source: { type: 'token', store_for_future_use: true },
        '3ds': { enabled: true, challenge_indicator: 'challenge_requested_mandate' },
      },
      fetched: { reference: captured.id, responses: [paid({ source: { id: SOURCE } })] },
      saved: SAVED,
    },
    {
      title: 'keeps a card that is charged later',
      method: 'card',
      order: { capture: 'manual' },
      responses: [{ status: 201, body: { ...authorized, ...untold, source: { id: SOURCE } } }],
      sent: { capture: false, source: { store_for_future_use: true } },
      saved: SAVED,
    },
    {
      title: 'keeps a wallet',
      method: 'wallet',
      responses: [paid({ source: { id: SOURCE } })],
      sent: { source: { store_for_future_use: true } },
      saved: SAVED,
    },
    {
      title: 'keeps a card that pays on the page of Checkout.com',
      method: 'card',
      order: onPage,
      responses: [{ status: 201, body: pageCreated }],
      sent: { payment_method_configuration: { card: { store_payment_details: 'enabled' } } },
      toldBy: 'fetch',
      fetched: {
        reference: page.id,
        responses: [
          { body: { ...page, status: 'Payment Received', payment_id: captured.id } },
          paid({ source: { id: SOURCE } }),
        ],
      },
      saved: SAVED,
    },
    {
      title: 'keeps a wallet that pays on the page of Checkout.com',
      method: 'wallet',
      order: onPage,
      responses: [{ status: 201, body: pageCreated }],
      sent: {
        payment_method_configuration: {
          applepay: { store_payment_details: 'enabled' },
          googlepay: { store_payment_details: 'enabled' },
        },
      },
      toldBy: 'fetch',
      fetched: { reference: captured.id, responses: [paid({ source: { id: SOURCE } })] },
      saved: SAVED,
    },
  ],
  unsaved: { method: 'card', responses: [paid({})] },
  check: checkoutCheck,
};
