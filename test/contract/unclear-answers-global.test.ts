import { adyen } from '#shared/psp/adyen/adapter.ts';
import { checkout } from '#shared/psp/checkout/adapter.ts';
import { mollie } from '#shared/psp/mollie/adapter.ts';
import { paypal } from '#shared/psp/paypal/adapter.ts';
import { stripe } from '#shared/psp/stripe/adapter.ts';
import { describeUnclear, type Json, type Line, unfinished } from '#test/contract/unclear-answers.ts';

const intent = (more: Json): Json => ({
  id: 'pi_1',
  object: 'payment_intent',
  status: 'requires_payment_method',
  currency: 'eur',
  ...more,
});

const cardError = (more: Json, payment_intent: unknown = intent({})): Line['answers'][number] => ({
  status: 402,
  body: {
    error: { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline', ...more, payment_intent },
  },
});

const stateError = { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' };

describeUnclear(
  stripe,
  { secret_key: 'sk_test_1', webhook_secret: 'whsec_1' },
  { paymentMethod: { type: 'card', token: 'pm_1' } },
  [
    ...unfinished({ error: { type: 'invalid_request_error' } }),
    { given: 'advice as a number', answers: [cardError({ network_advice_code: 3 })], reads: 'never' },
    { given: 'advice of one digit', answers: [cardError({ network_advice_code: '3' })], reads: 'never' },
    { given: 'network advice of no list', answers: [cardError({ network_advice_code: '77' })], reads: 'stays' },
    { given: 'own advice of no list', answers: [cardError({ advice_code: 'ask_the_bank' })], reads: 'stays' },
    { given: 'no advice', answers: [cardError({ network_advice_code: null })], reads: 'elsewhere' },
    {
      given: 'a lost Mastercard behind a generic word',
      answers: [cardError({ network_decline_code: '41', payment_method: { card: { brand: 'mastercard' } } })],
      reads: 'never',
    },
    {
      given: "Visa's final code on a card of a brand that is not said",
      answers: [cardError({ network_decline_code: '14' })],
      reads: 'never',
    },
    { given: 'a decline with an intent that is not understood', answers: [cardError({}, 'pi_1')], reads: 'open' },
    {
      given: 'a decline whose intent moves on, with an odd field',
      answers: [cardError({}, intent({ status: 'processing', created: '1767225600' }))],
      reads: 'open',
    },
    {
      given: 'a request refused as the charge has moved on',
      answers: [{ status: 400, body: { error: stateError } }],
      reads: 'open',
    },
  ],
);

const refusal2 = (additionalData: unknown): Line['answers'] => [
  {
    body: {
      pspReference: 'NC6HT9CRT65ZGN82',
      resultCode: 'Refused',
      refusalReason: 'Refused',
      refusalReasonCode: '2',
      additionalData,
    },
  },
];

describeUnclear(
  adyen,
  { api_key: 'AQE_key_of_the_shop', merchant_account: 'ShopECOM', webhook_secret: 'AB'.repeat(32) },
  { paymentMethod: { type: 'card', token: { storedPaymentMethodId: 'ok' } } },
  [
    ...unfinished({ status: 422, errorCode: '702', errorType: 'validation' }),
    { given: 'advice as a number', answers: refusal2({ merchantAdviceCode: 3 }), reads: 'never' },
    { given: 'advice of no list', answers: refusal2({ merchantAdviceCode: '77 : new' }), reads: 'stays' },
    { given: 'a list instead of additional data', answers: refusal2([]), reads: 'elsewhere' },
  ],
);

const CHECKOUT_ID = 'pay_y3oqhf46pyzuxjbcn2giaqnb44';
const declined = (more: Json): Line['answers'][number] => ({
  status: 201,
  body: { id: CHECKOUT_ID, status: 'Declined', response_code: '20005', amount: 1099, currency: 'EUR', ...more },
});
const refused422 = (error_codes: unknown, error_type: string): Line['answers'] => [
  { status: 422, body: { error_type, error_codes } },
];

describeUnclear(
  checkout,
  {
    secret_key: `sk_sbox_${'a'.repeat(27)}`,
    processing_channel_id: 'pc_hpswyyx23geezflc2ocz3exn4y',
    host_prefix: 'demo1234',
    webhook_secret: 'signature-key-of-the-shop',
  },
  { paymentMethod: { type: 'card', token: 'tok_1' } },
  [
    ...unfinished({ error_type: 'request_invalid', error_codes: ['amount_invalid'] }),
    {
      given: 'its advice as a number',
      answers: [declined({ processing: { recommendation_code: 3 } })],
      reads: 'never',
    },
    {
      given: "the network's advice with its name",
      answers: [declined({ processing: { partner_merchant_advice_code: 'MAC03' } })],
      reads: 'never',
    },
    { given: 'advice of no list', answers: [declined({ processing: { recommendation_code: '77' } })], reads: 'stays' },
    { given: 'a response code as a number', answers: [declined({ response_code: 20_059 })], reads: 'never' },
    {
      given: 'a decline whose actions may not be read',
      answers: [declined({ response_code: null }), { status: 401, body: {} }],
      reads: 'stays',
    },
    {
      given: 'a look-up of a decline whose actions are gone',
      fetch: CHECKOUT_ID,
      answers: [declined({ response_code: null }), { status: 404, body: {} }],
      reads: 'stays',
    },
    {
      given: 'a look-up whose action has the advice, and whose payment has other details',
      fetch: CHECKOUT_ID,
      answers: [
        declined({ response_code: null, processing: { retrieval_reference_number: '1', recommendation_code: null } }),
        {
          body: [
            {
              id: 'act_1',
              type: 'Authorization',
              approved: false,
              response_code: '20005',
              processing: { recommendation_code: '03' },
            },
          ],
        },
      ],
      reads: 'never',
    },
    {
      given: 'a processing error of no list',
      answers: refused422(['gateway_error'], 'processing_error'),
      reads: 'open',
    },
    {
      given: 'a known reason under a processing error',
      answers: refused422(['card_expired'], 'processing_error'),
      reads: 'stays',
    },
  ],
);

const CAPTURE = { id: '3C679366HH908993F', amount: { currency_code: 'EUR', value: '10.99' } };
const ORDER = { id: '5O190127TN364715T', payment_source: { card: { brand: 'MASTERCARD' } } };
const captured = (...captures: readonly Json[]): Line['answers'][number] => ({
  status: 201,
  body: {
    ...ORDER,
    status: 'COMPLETED',
    purchase_units: [{ payments: { captures: captures.map((each) => ({ ...CAPTURE, status: 'DECLINED', ...each })) } }],
  },
});
const processor = (payment_advice_code: unknown): Json => ({
  processor_response: { response_code: '5100', payment_advice_code },
});
const NOT_FOUND = { status: 404, body: { name: 'RESOURCE_NOT_FOUND', details: [{ issue: 'INVALID_RESOURCE_ID' }] } };
const issues = (...named: readonly string[]) => ({
  status: 422,
  body: { name: 'UNPROCESSABLE_ENTITY', details: named.map((issue) => ({ issue })) },
});
const APPROVED = { status: 201, body: { ...ORDER, status: 'APPROVED' } };
const links = [{ rel: 'up', href: 'https://api-m.paypal.com/v2/checkout/orders/5O190127TN364715T' }];

describeUnclear(
  paypal,
  { client_id: 'client-of-records', client_secret: 'secret-of-records', webhook_secret: '1JE4291016473214C' },
  { paymentMethod: { type: 'card', token: '8kk8451t' } },
  [
    ...unfinished({ name: 'REQUEST_TIMEOUT' }),
    { given: 'advice as a number', answers: [captured(processor(3))], reads: 'never' },
    { given: 'advice that only the network lists', answers: [captured(processor('42'))], reads: 'never' },
    { given: 'advice of no list', answers: [captured(processor('77'))], reads: 'stays' },
    {
      given: 'a capture that is not decided beside a declined one',
      answers: [captured({ status: 'PENDING' }, processor(undefined))],
      reads: 'open',
    },
    {
      given: 'a capture without its network, whose order has it',
      fetch: CAPTURE.id,
      answers: [NOT_FOUND, { body: { ...CAPTURE, status: 'DECLINED', ...processor('02'), links } }, captured({})],
      reads: 'stays',
    },
    {
      given: 'a capture whose network nobody says',
      fetch: CAPTURE.id,
      answers: [NOT_FOUND, { body: { ...CAPTURE, status: 'DECLINED', ...processor('02') } }],
      reads: 'never',
    },
    ...['PENDING_CAPTURE', 'CAPTURE_STATUS_NOT_VALID', 'MAX_CAPTURE_COUNT_EXCEEDED'].map(
      (issue): Line => ({
        given: `a capture refused with ${issue}`,
        answers: [APPROVED, issues(issue)],
        reads: 'open',
      }),
    ),
    {
      given: 'an order captured before that is not shown',
      answers: [APPROVED, issues('ORDER_ALREADY_CAPTURED'), NOT_FOUND],
      reads: 'open',
    },
    {
      given: 'two issues, of which the second forbids any further try',
      answers: [issues('INVALID_PARAMETER_VALUE', 'COMPLIANCE_VIOLATION')],
      reads: 'never',
    },
  ],
);

const molliePayment = (status: string): Line['answers'][number] => ({
  status: 201,
  body: { resource: 'payment', id: 'tr_1', status, amount: { value: '10.99', currency: 'EUR' } },
});
const mollieRefusal = (status: number, detail: string): Line['answers'][number] => ({
  status,
  body: { status, title: 'Refused', detail },
});

describeUnclear(mollie, { api_key: 'test_shop' }, { paymentMethod: { type: 'card', token: 'tkn_1' } }, [
  ...unfinished({ status: 408, title: 'x' }),
  {
    given: 'a captured charge whose look-up is refused',
    answers: [molliePayment('authorized'), { status: 201, body: {} }, mollieRefusal(404, 'No payment exists')],
    reads: 'open',
  },
  {
    given: 'a decline in words without a field',
    answers: [mollieRefusal(422, 'The payment was declined by the issuer')],
    reads: 'stays',
  },
]);
