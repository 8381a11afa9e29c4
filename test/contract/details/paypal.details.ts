import { paypal } from '#shared/psp/paypal/adapter.ts';
import type { CannedResponse } from '#test/contract/canned-server.ts';
import { paypalCheck } from '#test/contract/paypal-openapi.ts';
import { type DetailsDialect, FULL_DETAILS, LONG_DETAILS } from '#test/contract/psp-details.contract.ts';
import accessToken from '#test/fixtures/paypal/access-token.json' with { type: 'json' };
import completed from '#test/fixtures/paypal/order-completed.json' with { type: 'json' };
import waiting from '#test/fixtures/paypal/order-waiting.json' with { type: 'json' };

type Credentials = Parameters<typeof paypal.ping>[0]['credentials'];

const VAULT_ID = '8kk8451t';
const ON_PAGE = { paymentMethod: { type: 'wallet' }, method: 'wallet' } as const;
const [unit] = completed.purchase_units;
const [capture] = unit?.payments.captures ?? [];

/** A completed order, with fields of its capture and of its payment source. */
const paid = (captured: object = {}, payment_source: object = {}): readonly CannedResponse[] => [
  {
    status: 201,
    body: {
      ...completed,
      payment_source,
      purchase_units: [{ ...unit, payments: { captures: [{ ...capture, ...captured }] } }],
    },
  },
];
const hosted = [{ status: 201, body: waiting }];
const refused = (status: number, issue: string): CannedResponse => ({
  status,
  body: { name: 'UNPROCESSABLE_ENTITY', message: 'Refused.', details: [{ issue }] },
});
const vaulted = (vault: object) => paid({}, { paypal: { attributes: { vault } } });

const CARD = {
  last_digits: '4444',
  brand: 'MASTERCARD',
  type: 'DEBIT',
  expiry: '2035-12',
  name: 'Ada CANARYNAME',
  bin_details: { bin: '545301', bin_country_code: 'C2' },
  authentication_result: {
    liability_shift: 'POSSIBLE',
    three_d_secure: { enrollment_status: 'Y', authentication_status: 'Y' },
  },
};
const CARD_TOLD = {
  brand: 'mastercard',
  last4: '4444',
  funding: 'debit',
  issuer_country: 'CN',
  exp_month: 12,
  exp_year: 2035,
} as const;
const BANKNET = { id: 'MCC1ABCDE', date: '0131', network: 'MASTERCARD' };

export const paypalDetails: DetailsDialect<Credentials> = {
  adapter: paypal,
  credentials: { client_id: 'CANARYCLIENT', client_secret: 'CANARYSECRET', webhook_secret: 'WH0000000000001' },
  token: 'canaryvault',
  reference: completed.id,
  responsesByPath: { '/v1/oauth2/token': { body: accessToken } },
  approved: paid(),
  hosted,
  sends: [
    {
      title: 'sends the payer, the parcel and the order with a page',
      order: { ...ON_PAGE, details: FULL_DETAILS },
      sent: {
        purchase_units: [
          {
            soft_descriptor: 'SHOP EXAMPLE ORDER 1',
            amount: {
              value: '10.99',
              breakdown: {
                item_total: { currency_code: 'EUR', value: '10.00' },
                shipping: { currency_code: 'EUR', value: '0.99' },
              },
            },
            items: [
              {
                name: 'Mug',
                quantity: '2',
                sku: 'mug-1',
                category: 'PHYSICAL_GOODS',
                unit_amount: { currency_code: 'EUR', value: '5.00' },
              },
            ],
            shipping: {
              name: { full_name: 'Grace CANARYNAME' },
              address: { address_line_1: 'CANARYSTREET 2', admin_area_2: 'Hamburg', country_code: 'DE' },
            },
          },
        ],
        payment_source: {
          paypal: {
            name: { given_name: 'Ada', surname: 'CANARYNAME' },
            phone: { phone_number: { national_number: '15112345678' } },
            address: { address_line_1: 'CANARYSTREET 1', admin_area_1: 'BE', postal_code: '10115', country_code: 'DE' },
            experience_context: { shipping_preference: 'SET_PROVIDED_ADDRESS' },
          },
        },
      },
      notSent: ['payer', 'payment_source.paypal.email_address', 'payment_source.paypal.attributes'],
    },
    {
      title: 'shows no address on the page where the parcel has none that is whole',
      order: {
        ...ON_PAGE,
        details: { shipping: { address: { line1: '1 Main St', city: 'Austin', postal_code: '78701', country: 'US' } } },
      },
      sent: { payment_source: { paypal: { experience_context: { shipping_preference: 'NO_SHIPPING' } } } },
      notSent: ['purchase_units.0.shipping'],
    },
    {
      title: 'sends discounts as a part of the amount, and an uneven line as one piece',
      order: {
        ...ON_PAGE,
        amount: 1000,
        details: {
          order: {
            lines: [
              { name: 'Pen', quantity: 3, unit_amount: 400, discount_amount: 100, total_amount: 1100 },
              { name: 'Voucher', quantity: 1, unit_amount: -100, total_amount: -100, kind: 'discount' },
            ],
          },
        },
      },
      sent: {
        purchase_units: [
          {
            items: [{ name: '3 x Pen', quantity: '1', unit_amount: { value: '11.00' } }],
            amount: { value: '10.00', breakdown: { item_total: { value: '11.00' }, discount: { value: '1.00' } } },
          },
        ],
      },
      notSent: ['purchase_units.0.amount.breakdown.shipping'],
    },
    {
      title: 'sends no lines that do not add up to the amount',
      order: { ...ON_PAGE, amount: 1098, details: FULL_DETAILS },
      notSent: ['purchase_units.0.items', 'purchase_units.0.amount.breakdown'],
    },
    {
      title: 'cuts a statement to 22 of the characters that PayPal takes',
      order: { ...ON_PAGE, details: LONG_DETAILS },
      sent: { purchase_units: [{ soft_descriptor: 'SHOP * GMBH AND COMPAN' }] },
    },
    {
      title: 'authenticates the payer of a saved card always where a challenge is wanted',
      order: { details: { sca: { challenge: 'preferred' } } },
      sent: { payment_source: { card: { attributes: { verification: { method: 'SCA_ALWAYS' } } } } },
      notSent: ['payment_source.card.billing_address', 'payment_source.card.name'],
    },
    {
      title: 'says why an absent payer is charged, and refers to the first charge as Mastercard names it',
      order: {
        offSession: true,
        details: { mit: { reason: 'unscheduled', network_transaction_id: 'MCC1ABCDE0131' } },
      },
      sent: {
        payment_source: {
          card: {
            stored_credential: {
              payment_initiator: 'MERCHANT',
              payment_type: 'UNSCHEDULED',
              previous_network_transaction_reference: { id: 'MCC1ABCDE', date: '0131' },
            },
          },
        },
      },
    },
    {
      title: 'leaves out a reference whose date is missing',
      order: { offSession: true, details: { mit: { reason: 'recurring', network_transaction_id: 'MCC1ABCDE' } } },
      sent: { payment_source: { card: { stored_credential: { payment_type: 'RECURRING' } } } },
      notSent: ['payment_source.card.stored_credential.previous_network_transaction_reference'],
    },
  ],
  reports: [
    {
      title: 'tells all that PayPal tells of a card, and nothing else',
      responses: paid(
        {
          processor_response: { avs_code: 'Y', cvv_code: 'M', response_code: '0000' },
          network_transaction_reference: BANKNET,
        },
        { card: CARD },
      ),
      network: {
        network_transaction_id: 'MCC1ABCDE0131',
        avs: { code: 'Y', address: 'match', postal_code: 'match' },
        cvc: 'match',
        liability_shift: true,
        card: CARD_TOLD,
      },
    },
    {
      title: 'tells the advice of a declined capture, and no code of PayPal as one of the issuer',
      responses: paid(
        {
          status: 'DECLINED',
          processor_response: { avs_code: 'N', cvv_code: 'N', response_code: '5100', payment_advice_code: '03' },
        },
        { card: { brand: 'VISA', last_digits: '1111' } },
      ),
      network: {
        advice_code: '03',
        avs: { code: 'N', address: 'mismatch', postal_code: 'mismatch' },
        cvc: 'mismatch',
        card: { brand: 'visa', last4: '1111' },
      },
    },
    {
      title: 'reads the letters of American Express as American Express means them',
      responses: paid({ processor_response: { avs_code: 'F' } }, { card: { brand: 'AMEX', last_digits: '0005' } }),
      network: {
        avs: { code: 'F', address: 'match', postal_code: 'mismatch' },
        card: { brand: 'amex', last4: '0005' },
      },
    },
    {
      title: 'tells a letter alone whose meaning depends on a brand that is not known',
      responses: paid({ processor_response: { avs_code: 'F', cvv_code: '1' } }, { paypal: {} }),
      network: { avs: { code: 'F' }, cvc: 'mismatch' },
    },
    {
      title: 'reads the letter of a foreign card that matches nowhere as PayPal means it',
      responses: paid({ processor_response: { avs_code: 'C' } }, { card: { brand: 'VISA', last_digits: '1111' } }),
      network: {
        avs: { code: 'C', address: 'mismatch', postal_code: 'mismatch' },
        card: { brand: 'visa', last4: '1111' },
      },
    },
    {
      title: 'tells it when the order is looked up, or its capture',
      from: 'fetch',
      responses: [
        { status: 404, body: { name: 'RESOURCE_NOT_FOUND' } },
        { body: { ...capture, network_transaction_reference: { id: '000000000000000', network: 'VISA' } } },
      ],
      network: { network_transaction_id: '000000000000000' },
    },
    {
      title: 'tells it of an authorization',
      order: { capture: 'manual' },
      responses: [
        {
          status: 201,
          body: {
            ...completed,
            intent: 'AUTHORIZE',
            payment_source: { card: { last_digits: '1111', brand: 'CB_NATIONALE' } },
            purchase_units: [
              {
                payments: {
                  authorizations: [
                    { ...capture, status: 'CREATED', processor_response: { avs_code: '0', cvv_code: 'P' } },
                  ],
                },
              },
            ],
          },
        },
      ],
      network: {
        avs: { code: '0', address: 'match', postal_code: 'match' },
        cvc: 'unchecked',
        card: { brand: 'cartes_bancaires', last4: '1111' },
      },
    },
  ],
  garbled: paid(
    {
      processor_response: { avs_code: 'Null', cvv_code: 'All others', payment_advice_code: '03' },
      network_transaction_reference: { id: '<script>', network: { odd: true } },
    },
    {
      card: {
        last_digits: '…',
        brand: 'UNKNOWN',
        type: 'STORE',
        expiry: '13/35',
        bin_details: 'none',
      },
      paypal: { attributes: { vault: { id: '<b>', status: 'VAULTED' } } },
    },
  ),
  saves: [
    {
      title: 'is the account that has paid on the page, once PayPal keeps it',
      method: 'wallet',
      order: ON_PAGE,
      responses: hosted,
      sent: {
        payment_source: { paypal: { attributes: { vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT' } } } },
      },
      toldBy: 'fetch',
      fetched: { reference: completed.id, responses: vaulted({ id: VAULT_ID, status: 'VAULTED' }) },
      saved: { vault_id: VAULT_ID, source: 'paypal' },
    },
  ],
  unsaved: { method: 'wallet', responses: vaulted({ status: 'APPROVED' }) },
  refusedSave: {
    method: 'wallet',
    order: ON_PAGE,
    responses: [refused(422, 'NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE'), ...paid()],
  },
  check: paypalCheck,
};
