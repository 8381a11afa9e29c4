import type { InboundCallback } from '#shared/ports/psp.port.ts';
import { adyen } from '#shared/psp/adyen/adapter.ts';
import type { CannedResponse } from '#test/contract/canned-server.ts';
import { openApiCheck } from '#test/contract/openapi-check.ts';
import { type DetailsDialect, FULL_DETAILS, LONG_DETAILS, SAVE } from '#test/contract/psp-details.contract.ts';
import authorisation from '#test/fixtures/adyen/notification-authorisation.json' with { type: 'json' };
import authorised from '#test/fixtures/adyen/payment-authorised.json' with { type: 'json' };
import link from '#test/fixtures/adyen/payment-link.json' with { type: 'json' };

type Credentials = Parameters<typeof adyen.ping>[0]['credentials'];
type Data = Readonly<Record<string, unknown>>;

const CARD = {
  encryptedCardNumber: 'adyenjs_number',
  encryptedExpiryMonth: 'adyenjs_month',
  encryptedExpiryYear: 'adyenjs_year',
};
const STORED = { storedPaymentMethodId: 'M5N7TQ4TG5PFWR50', shopperReference: SAVE.customer };

const paid = {
  pspReference: authorised.pspReference,
  resultCode: 'Authorised',
  merchantReference: 'att_01jc0000000000000000000001',
  amount: { currency: 'EUR', value: 1099 },
};
const approved = (additionalData?: Data, more: Data = {}): readonly CannedResponse[] => [
  { body: { ...paid, ...(additionalData && { additionalData }), ...more } },
];
const refused = (additionalData: Data): readonly CannedResponse[] => [
  { body: { ...paid, resultCode: 'Refused', refusalReason: 'Refused', refusalReasonCode: '2', additionalData } },
];
const hosted = [{ status: 201, body: link }];

const item: Data = authorisation.notificationItems[0]?.NotificationRequestItem ?? {};
const notification = (additionalData: Data, more: Data = {}): InboundCallback => {
  const own = { ...item, ...more, additionalData };
  const body = { live: 'false', notificationItems: [{ NotificationRequestItem: own }] };
  return { rawBody: Buffer.from(JSON.stringify(body)), headers: {}, query: {} };
};

/** Additional data as Adyen's documents show it, with everything switched on. */
const TOLD = {
  avsResult: '7 Both postal code and address match',
  avsResultRaw: 'Y',
  cvcResult: '1 Matches',
  eci: '05',
  liabilityShift: 'true',
  networkTxReference: '777718270854480',
  cardSummary: '1142',
  cardBin: '411111',
  cardHolderName: 'Ada CANARYNAME',
  cardIssuingCountry: 'NL',
  expiryDate: '3/2030',
  fundingSource: 'PREPAID_RELOADABLE',
  paymentMethod: 'mc',
  refusalReasonRaw: 'AUTHORISED',
};
const CARD_TOLD = {
  brand: 'mastercard',
  last4: '1142',
  funding: 'prepaid',
  issuer_country: 'NL',
  exp_month: 3,
  exp_year: 2030,
} as const;

const address = { street: 'CANARYSTREET', city: 'Berlin', postalCode: '10115', country: 'DE' };

export const adyenDetails: DetailsDialect<Credentials> = {
  adapter: adyen,
  credentials: { api_key: 'AQECANARYAPIKEY', merchant_account: 'ShopECOM', webhook_secret: 'CA4A5EC2E7'.repeat(6) },
  token: CARD,
  reference: authorised.pspReference,
  approved: approved(),
  hosted,
  confirmInput: { redirectResult: 'X6XtfGC3!Y' },
  sends: [
    {
      title: 'sends the browser, the customer and the order with a payment',
      order: { details: FULL_DETAILS },
      sent: {
        billingAddress: { ...address, houseNumberOrName: '1 Floor 2', stateOrProvince: 'BE' },
        deliveryAddress: { houseNumberOrName: '2', city: 'Hamburg', firstName: 'Grace', lastName: 'CANARYNAME' },
        shopperName: { firstName: 'Ada', lastName: 'CANARYNAME' },
        telephoneNumber: '+4915112345678',
        shopperIP: '192.0.2.1',
        shopperStatement: 'SHOP EXAMPLE ORDER 1',
        lineItems: [
          { id: 'mug-1', quantity: 2, amountIncludingTax: 500, taxAmount: 80, amountExcludingTax: 420 },
          { description: 'Parcel', quantity: 1, amountIncludingTax: 99 },
        ],
        browserInfo: { userAgent: FULL_DETAILS.browser?.user_agent, colorDepth: 24, timeZoneOffset: -120 },
        origin: 'https://shop.example',
        threeDS2RequestData: { threeDSRequestorChallengeInd: '03' },
        additionalData: { scaExemption: 'transactionRiskAnalysis' },
      },
      notSent: ['authenticationData', 'storePaymentMethod', 'shopperReference'],
    },
    {
      title: 'sends a page what a payment link takes, without the browser of the shop',
      order: { details: FULL_DETAILS, paymentMethod: { type: 'klarna' }, method: 'klarna' },
      sent: { billingAddress: address, shopperStatement: 'SHOP EXAMPLE ORDER 1', lineItems: [{}, {}] },
      notSent: ['browserInfo', 'origin', 'additionalData', 'authenticationData'],
    },
    {
      title: 'authenticates always where a challenge is required',
      order: { details: { sca: { challenge: 'required' } } },
      sent: {
        threeDS2RequestData: { threeDSRequestorChallengeInd: '04' },
        authenticationData: { attemptAuthentication: 'always' },
      },
    },
    {
      title: 'never forbids the authentication that a law may require',
      order: { details: { sca: { challenge: 'avoid' } } },
      sent: { threeDS2RequestData: { threeDSRequestorChallengeInd: '02' } },
      notSent: ['authenticationData'],
    },
    {
      title: 'sends no browser and no wish for a challenge in the absence of the customer',
      order: {
        details: { ...FULL_DETAILS, mit: { reason: 'unscheduled', network_transaction_id: '777718270854480' } },
        offSession: true,
        paymentMethod: { type: 'card', token: STORED },
      },
      sent: {
        shopperInteraction: 'ContAuth',
        recurringProcessingModel: 'UnscheduledCardOnFile',
        additionalData: { networkTxReference: '777718270854480' },
      },
      notSent: ['browserInfo', 'origin', 'threeDS2RequestData', 'additionalData.scaExemption', 'shopperIP'],
    },
    {
      title: 'charges an instalment as a part of a schedule',
      order: {
        details: { mit: { reason: 'instalment' } },
        offSession: true,
        paymentMethod: { type: 'card', token: STORED },
      },
      sent: { recurringProcessingModel: 'Subscription' },
      notSent: ['additionalData'],
    },
    {
      title: 'reserves money and asks for an exemption in the same data',
      order: { capture: 'manual', details: { sca: { exemption: 'low_value' } } },
      sent: { additionalData: { manualCapture: 'true', scaExemption: 'lowValue' } },
    },
    {
      title: 'fills what is missing of an address as the components of Adyen do',
      order: { details: { billing: { address: { postal_code: '94107-1234', country: 'US' } } } },
      sent: {
        billingAddress: {
          street: 'N/A',
          houseNumberOrName: 'N/A',
          city: 'N/A',
          postalCode: '94107',
          stateOrProvince: 'N/A',
          country: 'US',
        },
      },
    },
    {
      title: 'sends lines that do not add up to the amount to nobody',
      order: { amount: 1098, details: FULL_DETAILS },
      responses: [{ body: { ...paid, amount: { currency: 'EUR', value: 1098 } } }],
      notSent: ['lineItems'],
    },
    {
      title: 'leaves out what is too long to be true, and cuts a statement',
      order: { details: LONG_DETAILS },
      sent: { shopperStatement: "SHOP '* GMBH AND COMPA" },
      notSent: ['shopperName', 'billingAddress.stateOrProvince'],
    },
    {
      title: 'does not put an order number in the place of the name of the shop',
      order: { details: { statement_descriptor_suffix: 'ORDER 1' } },
      notSent: ['shopperStatement'],
    },
  ],
  reports: [
    {
      title: 'tells all that Adyen tells of a card, and nothing else',
      responses: approved(TOLD),
      network: {
        network_transaction_id: '777718270854480',
        avs: { code: 'Y', address: 'match', postal_code: 'match' },
        cvc: 'match',
        eci: '05',
        liability_shift: true,
        card: CARD_TOLD,
      },
    },
    {
      title: 'tells what an account tells that has nothing switched on',
      responses: approved(authorised.additionalData, { paymentMethod: { brand: 'visa', type: 'scheme' } }),
      network: { avs: { address: 'unchecked', postal_code: 'unchecked' }, cvc: 'match' },
    },
    {
      title: 'tells the brand behind a wallet',
      responses: approved({ cardSummary: '0006' }, { paymentMethod: { brand: 'visa_applepay', type: 'applepay' } }),
      network: { card: { brand: 'visa', last4: '0006' } },
    },
    {
      title: 'tells the code of the issuer and the advice of the network of a refusal',
      responses: refused({
        refusalReasonRaw: '51 : Not sufficient funds',
        merchantAdviceCode: '24 : Retry after 1 hour',
        avsResult: '2 Neither postal code nor address match',
        avsResultRaw: 'N',
        cvcResult: '2 Does not match',
        liabilityShift: 'false',
      }),
      network: {
        network_decline_code: '51',
        advice_code: '24',
        avs: { code: 'N', address: 'mismatch', postal_code: 'mismatch' },
        cvc: 'mismatch',
        liability_shift: false,
      },
    },
    {
      title: 'tells it of the payment that the customer has continued',
      from: 'confirm',
      reference: 'att_01jc0000000000000000000001',
      responses: approved({ eci: '5' }),
      network: { eci: '05' },
    },
  ],
  callbacks: [
    {
      title: 'tells last digits and expiry of a notification, which needs nothing switched on',
      callback: notification({}, { reason: '044925:1142:03/2030', paymentMethod: 'mc' }),
      network: { card: { brand: 'mastercard', last4: '1142', exp_month: 3, exp_year: 2030 } },
    },
    {
      title: 'tells the token of a notification, with its shopper',
      callback: notification({
        'recurring.recurringDetailReference': STORED.storedPaymentMethodId,
        'recurring.shopperReference': STORED.shopperReference,
      }),
      network: undefined,
      saved: STORED,
    },
    {
      title: 'tells the token of the notification that Adyen sends for it alone',
      callback: notification(
        {
          'recurring.recurringDetailReference': STORED.storedPaymentMethodId,
          'recurring.shopperReference': STORED.shopperReference,
        },
        {
          eventCode: 'RECURRING_CONTRACT',
          pspReference: STORED.storedPaymentMethodId,
          originalReference: authorised.pspReference,
        },
      ),
      saved: STORED,
    },
    {
      title: 'calls no method saved when a saved one was charged',
      callback: notification({
        shopperInteraction: 'ContAuth',
        'recurring.recurringDetailReference': STORED.storedPaymentMethodId,
        'recurring.shopperReference': STORED.shopperReference,
      }),
    },
    {
      title: 'tells why a notified charge was refused',
      callback: notification(
        { refusalReasonRaw: '05 : Do not honor', merchantAdviceCode: '03' },
        { success: 'false', reason: 'Refused' },
      ),
      network: { network_decline_code: '05', advice_code: '03' },
    },
  ],
  garbled: approved(
    {
      avsResult: 'seven',
      avsResultRaw: '??',
      cvcResult: 'no idea',
      cvcResultRaw: '',
      eci: 'N/A',
      liabilityShift: 'maybe',
      networkTxReference: '<script>',
      cardSummary: 'xxxx',
      cardIssuingCountry: 'N/A',
      expiryDate: '13/1900',
      fundingSource: 'GIFT',
      paymentMethod: 'ideal',
      'recurring.recurringDetailReference': '<b>',
      merchantAdviceCode: '03',
    },
    { paymentMethod: { brand: { odd: true }, type: 'ideal' } },
  ),
  saves: [
    ...(['card', 'wallet'] as const).map((method) => ({
      title: `is the token of a ${method} with its shopper`,
      method,
      order:
        method === 'wallet' ? { paymentMethod: { type: method, token: { applePayToken: 'VNRWtuNlNEWkRCSm' } } } : {},
      responses: approved({
        'tokenization.storedPaymentMethodId': STORED.storedPaymentMethodId,
        'tokenization.store.operationType': 'created',
      }),
      sent: {
        storePaymentMethod: true,
        shopperReference: SAVE.customer,
        recurringProcessingModel: 'UnscheduledCardOnFile',
        shopperInteraction: 'Ecommerce',
      },
      saved: STORED,
    })),
    {
      title: 'is the mandate of a SEPA debit, under the older names of its fields',
      method: 'sepa_debit',
      order: { paymentMethod: { type: 'sepa_debit', token: { iban: 'DE02120300000000202051', ownerName: 'A B' } } },
      responses: approved({
        'recurring.recurringDetailReference': STORED.storedPaymentMethodId,
        'recurring.shopperReference': STORED.shopperReference,
      }),
      sent: { storePaymentMethod: true, shopperReference: SAVE.customer },
      saved: STORED,
    },
  ],
  unsaved: { method: 'card', responses: approved() },
  check: () => {
    const check = openApiCheck('adyen.checkout-v72.openapi.json');
    // The document knows SEPA debits by account alone. Adyen's page about them charges saved ones like this.
    const documented = (body: string) =>
      body.replace(/"type":"sepadirectdebit",("storedPaymentMethodId")/, '"type":"scheme",$1');
    return (request) => check({ ...request, path: request.path.replace(/^\/v72/, ''), body: documented(request.body) });
  },
};
