import { stripe } from '#shared/psp/stripe/adapter.ts';
import type { CannedResponse, ReceivedRequest } from '#test/contract/canned-server.ts';
import { nested, openApiCheck } from '#test/contract/openapi-check.ts';
import { type DetailsDialect, FULL_DETAILS, SAVE } from '#test/contract/psp-details.contract.ts';
import session from '#test/fixtures/stripe/checkout-session.json' with { type: 'json' };
import intent from '#test/fixtures/stripe/payment-intent.json' with { type: 'json' };

type Credentials = Parameters<typeof stripe.ping>[0]['credentials'];

const CHARGE = 'ch_3MmlLrLkdIwHu7ix0snN0B15';
const paid = {
  last_payment_error: null,
  next_action: null,
  status: 'succeeded',
  amount_received: 1099,
  currency: 'eur',
};
const paidIntent = (fields: object = {}): CannedResponse => ({
  body: { ...intent, ...paid, setup_future_usage: null, ...fields },
});
const chargeOf = (card: object, outcome: object = {}) => ({
  latest_charge: { id: CHARGE, object: 'charge', outcome, payment_method_details: { type: 'card', card } },
});

const VISA = { brand: 'visa', last4: '4242', funding: 'credit', country: 'DE', exp_month: 8, exp_year: 2030 };
const VISA_REPORT = {
  brand: 'visa',
  last4: '4242',
  funding: 'credit',
  issuer_country: 'DE',
  exp_month: 8,
  exp_year: 2030,
} as const;
const CHECKS = { address_line1_check: 'pass', address_postal_code_check: 'fail', cvc_check: 'unavailable' };
const CHECKED = { avs: { address: 'match', postal_code: 'mismatch' }, cvc: 'unchecked' } as const;
const APPROVED = {
  ...VISA,
  checks: CHECKS,
  network_transaction_id: '638284745624527',
  electronic_commerce_indicator: null,
  three_d_secure: { electronic_commerce_indicator: '05' },
};
const APPROVED_REPORT = {
  network_transaction_id: '638284745624527',
  ...CHECKED,
  eci: '05',
  card: VISA_REPORT,
} as const;

const fault = {
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'insufficient_funds',
  network_decline_code: '51',
  network_advice_code: '24',
  message: 'Your card has insufficient funds.',
  payment_method: { id: 'pm_1', object: 'payment_method', card: { ...VISA, checks: CHECKS } },
};
const FAULT_REPORT = { network_decline_code: '51', advice_code: '24', ...CHECKED, card: VISA_REPORT } as const;
const unpaid = { ...intent, status: 'requires_payment_method', next_action: null, last_payment_error: fault };

const customer: CannedResponse = { body: { id: 'cus_NffrFeUfNV2Hib', object: 'customer' } };
const kept = { customer: 'cus_NffrFeUfNV2Hib', payment_method: 'pm_1Kept', setup_future_usage: 'off_session' };
const SAVED = { payment_method: 'pm_1Kept', customer: 'cus_NffrFeUfNV2Hib' };

const lines = FULL_DETAILS.order?.lines ?? [];

/** Fields of the version that we speak, which the public documents of sessions and customers are too old for. */
const OPTIONS = {
  type: 'object',
  properties: {
    card: {
      type: 'object',
      properties: { request_three_d_secure: { enum: ['any', 'automatic', 'challenge'] } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};
const SINCE_THEN = {
  'POST /v1/checkout/sessions': {
    allowed_payment_method_types: { type: 'array', items: { type: 'string' } },
    payment_method_options: OPTIONS,
  },
};

const token = 'pm_CANARYTOKEN';
const page = { paymentMethod: { type: 'card' } };
const details = FULL_DETAILS;

export const stripeDetails: DetailsDialect<Credentials> = {
  adapter: stripe,
  credentials: { secret_key: 'sk_test_CANARYSECRETKEY', webhook_secret: 'whsec_CANARYWEBHOOK' },
  token,
  reference: intent.id,
  approved: [paidIntent()],
  hosted: [{ body: session }],
  bodyOf: ({ body }: ReceivedRequest) => nested(body),
  sends: [
    {
      title: 'sends where the parcel goes, with a token',
      order: { details },
      sent: {
        shipping: { name: 'Grace CANARYNAME', phone: '+4930901820', address: { city: 'Hamburg', country: 'DE' } },
      },
    },
    {
      title: 'sends where the parcel goes, with a page',
      order: { ...page, details },
      sent: { payment_intent_data: { shipping: { name: 'Grace CANARYNAME', address: { postal_code: '20095' } } } },
    },
    {
      title: 'leaves out a parcel without a street, which Stripe would refuse',
      order: { details: { shipping: { name: 'Grace', address: { country: 'DE' } } } },
      notSent: ['shipping'],
    },
    {
      title: 'sends a suffix to the statement of a card, and no whole text',
      order: { details },
      sent: { statement_descriptor_suffix: 'ORDER 1' },
      notSent: ['statement_descriptor'],
    },
    {
      title: 'sends the whole statement of any other method',
      order: { method: 'sepa_debit', details },
      sent: { statement_descriptor: 'SHOP EXAMPLE ORDER 1' },
      notSent: ['statement_descriptor_suffix', 'payment_method_options'],
    },
    {
      title: 'leaves out a statement without a letter',
      order: { details: { statement_descriptor_suffix: '12345' } },
      notSent: ['statement_descriptor_suffix'],
    },
    {
      title: 'sends the lines of an order, which Stripe is not to check',
      order: { details },
      sent: {
        payment_details: { order_reference: 'order-1' },
        amount_details: {
          enforce_arithmetic_validation: 'false',
          line_items: [
            { product_name: 'Mug', product_code: 'mug-1', quantity: '2', unit_cost: '500' },
            { product_name: 'Parcel', quantity: '1', unit_cost: '99' },
          ],
        },
      },
    },
    {
      title: 'leaves out lines that do not add up',
      order: { details: { order: { lines: lines.slice(1) } } },
      notSent: ['amount_details'],
    },
    {
      title: 'sends links of the lines to Klarna',
      order: {
        method: 'klarna',
        details: {
          order: {
            lines: [{ ...lines[0]!, total_amount: 1000, url: 'https://shop.example/mug' }],
            shipping_amount: 99,
          },
        },
      },
      sent: {
        amount_details: {
          line_items: [
            { payment_method_options: { klarna: { product_url: 'https://shop.example/mug', reference: 'mug-1' } } },
            { product_name: 'Shipping' },
          ],
        },
      },
    },
    {
      title: 'shows the lines on the page, and charges their sum',
      order: { ...page, details },
      sent: {
        line_items: [
          { quantity: '2', price_data: { currency: 'eur', unit_amount: '500', product_data: { name: 'Mug' } } },
          { quantity: '1', price_data: { currency: 'eur', unit_amount: '99', product_data: { name: 'Parcel' } } },
        ],
      },
    },
    {
      title: 'shows one line on the page where a line has a discount',
      order: {
        ...page,
        details: { order: { lines: [{ ...lines[0]!, unit_amount: 600, discount_amount: 101, total_amount: 1099 }] } },
      },
      sent: { line_items: [{ quantity: '1', price_data: { unit_amount: '1099' } }] },
    },
    {
      title: 'asks for 3-D Secure where a challenge is preferred',
      order: { details: { sca: { challenge: 'preferred' } } },
      sent: { payment_method_options: { card: { request_three_d_secure: 'any' } } },
    },
    {
      title: 'asks for a challenge where one is required, also on a page',
      order: { ...page, details: { sca: { challenge: 'required' } } },
      sent: { payment_method_options: { card: { request_three_d_secure: 'challenge' } } },
    },
    {
      title: 'leaves the choice to Stripe where a challenge is to be avoided',
      order: { details: { sca: { challenge: 'avoid', exemption: 'low_value' } } },
      notSent: ['payment_method_options'],
    },
    ...(
      [
        ['recurring', 'recurring'],
        ['instalment', 'installment'],
        ['unscheduled', 'unscheduled'],
      ] as const
    ).map(([reason, sent]) => ({
      title: `says that a charge without the customer is ${reason}`,
      order: { offSession: true, details: { mit: { reason, network_transaction_id: '638284745624527' } } },
      sent: { off_session: 'true', payment_method_options: { card: { stored_credential_usage: sent } } },
    })),
  ],
  reports: [
    {
      title: 'tells what the network and the card are, of a charge with details',
      order: { details: { sca: { challenge: 'avoid' } } },
      responses: [paidIntent(chargeOf(APPROVED))],
      network: APPROVED_REPORT,
    },
    {
      title: 'tells the network’s final indicator before that of 3-D Secure',
      from: 'fetch',
      responses: [paidIntent(chargeOf({ ...APPROVED, electronic_commerce_indicator: '07' }))],
      network: { ...APPROVED_REPORT, eci: '07' },
    },
    {
      title: 'tells the same of a look-up',
      from: 'fetch',
      responses: [paidIntent(chargeOf(APPROVED))],
      network: APPROVED_REPORT,
    },
    {
      title: 'tells the same of a page that was paid on',
      from: 'fetch',
      reference: session.id,
      responses: [
        {
          body: {
            ...session,
            status: 'complete',
            payment_intent: { ...intent, ...paid, setup_future_usage: null, ...chargeOf(APPROVED) },
          },
        },
      ],
      network: APPROVED_REPORT,
    },
    {
      title: 'tells the same of a search',
      from: 'find',
      responses: [
        {
          body: {
            object: 'search_result',
            data: [{ ...intent, ...paid, created: 1_767_225_601, ...chargeOf(APPROVED) }],
          },
        },
      ],
      network: APPROVED_REPORT,
    },
    {
      title: 'tells the same of a charge that is captured later',
      order: { capture: 'manual' },
      responses: [
        paidIntent({ status: 'requires_capture', amount_capturable: 1099, amount_received: 0, ...chargeOf(APPROVED) }),
      ],
      network: APPROVED_REPORT,
    },
    {
      title: 'tells the codes of a decline, and the card',
      responses: [{ status: 402, body: { error: { ...fault, payment_intent: unpaid } } }],
      network: FAULT_REPORT,
    },
    {
      title: 'tells the codes of a decline without an intent',
      responses: [{ status: 402, body: { error: fault } }],
      network: FAULT_REPORT,
    },
    {
      title: 'tells the codes of a decline that is looked up',
      from: 'fetch',
      responses: [{ body: { ...unpaid, ...chargeOf({ ...VISA, checks: CHECKS }) } }],
      network: FAULT_REPORT,
    },
    {
      title: 'tells the codes that only the charge has',
      from: 'fetch',
      responses: [
        {
          body: {
            ...unpaid,
            last_payment_error: { type: 'card_error', code: 'card_declined', decline_code: 'do_not_honor' },
            ...chargeOf(VISA, { network_decline_code: '05', network_advice_code: '03' }),
          },
        },
      ],
      network: { network_decline_code: '05', advice_code: '03', card: VISA_REPORT },
    },
  ],
  garbled: [
    paidIntent(
      chargeOf({
        brand: ['visa'],
        last4: '42',
        funding: 'unknown',
        country: 'Germany',
        exp_month: 13,
        exp_year: 'soon',
        network_transaction_id: { id: 1 },
        electronic_commerce_indicator: 'high',
        checks: { address_line1_check: 'maybe', address_postal_code_check: 7, cvc_check: null },
      }),
    ),
  ],
  saves: [
    {
      title: 'keeps a card with a customer of its own',
      method: 'card',
      responses: [customer, paidIntent(kept)],
      sent: { customer: 'cus_NffrFeUfNV2Hib', setup_future_usage: 'off_session', expand: ['latest_charge'] },
      fetched: { reference: intent.id, responses: [paidIntent(kept)] },
      saved: SAVED,
    },
    {
      title: 'keeps a card with the customer that the token names',
      method: 'card',
      order: { paymentMethod: { type: 'card', token: { payment_method: 'pm_1Kept', customer: 'cus_NffrFeUfNV2Hib' } } },
      responses: [paidIntent(kept)],
      sent: { customer: 'cus_NffrFeUfNV2Hib', setup_future_usage: 'off_session' },
      saved: SAVED,
    },
    {
      title: 'keeps a card that is charged later',
      method: 'card',
      order: { capture: 'manual' },
      responses: [
        customer,
        paidIntent({ ...kept, ...chargeOf(VISA), status: 'requires_capture', amount_capturable: 1099 }),
      ],
      sent: { capture_method: 'manual', setup_future_usage: 'off_session' },
      saved: SAVED,
    },
    {
      title: 'keeps a wallet that pays on the page of Stripe',
      method: 'wallet',
      order: page,
      responses: [{ body: session }],
      sent: { customer_creation: 'always', payment_intent_data: { setup_future_usage: 'off_session' } },
      toldBy: 'fetch',
      fetched: {
        reference: session.id,
        responses: [
          {
            body: {
              ...session,
              status: 'complete',
              payment_intent: { ...intent, ...paid, ...kept, latest_charge: null },
            },
          },
        ],
      },
      saved: SAVED,
    },
    {
      title: 'keeps a SEPA debit, and tells it once it has succeeded',
      method: 'sepa_debit',
      responses: [customer, paidIntent({ ...kept, status: 'processing', amount_received: 0 })],
      sent: { setup_future_usage: 'off_session' },
      toldBy: 'fetch',
      fetched: { reference: intent.id, responses: [paidIntent(kept)] },
      saved: SAVED,
    },
  ],
  unsaved: { method: 'klarna', responses: [paidIntent()] },
  refusedSave: {
    method: 'card',
    responses: [
      { status: 403, body: { error: { type: 'invalid_request_error', message: `No access ${SAVE.customer}` } } },
      paidIntent(),
    ],
  },
  check: () => {
    const pinned = openApiCheck('stripe.v2026-10-28.derived.openapi.json');
    const official = openApiCheck('stripe.v2023-08-16.official.openapi.json');
    const sessions = openApiCheck('stripe.v2023-08-16.checkout-sessions.openapi.json', SINCE_THEN);
    return (request) => {
      if (request.path.startsWith('/v1/checkout/')) return sessions(request);
      const isOlder = request.method === 'GET' || request.path === '/v1/customers';
      const faults = (isOlder ? official : pinned)(request);
      const hasKey = request.method === 'GET' || request.headers['idempotency-key'] !== undefined;
      return hasKey ? faults : [...faults, `${request.path} has no key`];
    };
  },
};
