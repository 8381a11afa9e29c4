import { flutterwave } from '#shared/psp/flutterwave/adapter.ts';
import { paystack } from '#shared/psp/paystack/adapter.ts';
import { razorpay } from '#shared/psp/razorpay/adapter.ts';
import { AN_ORDER } from '#test/contract/psp.contract.ts';
import {
  describeUnclear,
  type Json,
  type Line,
  STATUSES_OF_OTHERS,
  unfinished,
} from '#test/contract/unclear-answers.ts';

const RAZORPAY_ORDER = { body: { id: 'order_1', entity: 'order', status: 'created', attempts: 0 } };
const NO_PAYMENTS = { body: { items: [] } };
const refused400 = (error: Json): Line['answers'] => [
  RAZORPAY_ORDER,
  { status: 400, body: { error: { code: 'BAD_REQUEST_ERROR', ...error } } },
  NO_PAYMENTS,
];
const razorpayPayment = (more: Json): Json => ({
  id: 'pay_1',
  entity: 'payment',
  amount: 50_000,
  currency: 'INR',
  ...more,
});

describeUnclear(
  razorpay,
  { key_id: 'rzp_test_1', key_secret: 'recorded', webhook_secret: 'recorded' },
  {
    currency: 'INR',
    amount: 50_000,
    paymentMethod: { type: 'card', token: { token: 'token_1', customer_id: 'cust_1', contact: '+919000090000' } },
  },
  [
    ...unfinished({ error: { code: 'BAD_REQUEST_ERROR' } }, RAZORPAY_ORDER),
    { given: "its gateway's fault", answers: refused400({ code: 'GATEWAY_ERROR' }), reads: 'open' },
    { given: 'its own fault', answers: refused400({ code: 'SERVER_ERROR', reason: 'NA' }), reads: 'open' },
    {
      given: 'another call that runs',
      answers: refused400({ description: 'Request failed because another payment operation is in progress' }),
      reads: 'open',
    },
    {
      given: 'an old refusal without a reason',
      answers: refused400({ description: 'Payment failed' }),
      reads: 'stays',
    },
    {
      given: 'a refusal without a reason after the first step',
      answers: refused400({ step: 'payment_authorization' }),
      reads: 'stays',
    },
    {
      given: 'a wrong key under HTTP 400',
      answers: [{ status: 400, body: { error: { code: 'BAD_REQUEST_ERROR', description: 'Authentication failed' } } }],
      reads: 'elsewhere',
    },
    {
      given: 'an expired link with a payment that the bank has not decided',
      fetch: 'plink_1',
      answers: [
        { body: { id: 'plink_1', status: 'expired', order_id: 'order_1' } },
        { body: { items: [razorpayPayment({ status: 'pending' })] } },
      ],
      reads: 'open',
    },
    {
      given: 'amounts as digits, with the fee of the customer',
      fetch: 'pay_1',
      answers: [
        { body: razorpayPayment({ status: 'captured', amount: '51180', fee: '1180', fee_bearer: 'customer' }) },
      ],
      reads: 'paid 50000 INR',
    },
  ],
);

const paystackWords = (message: string, status = 400, more: Json = {}): Line['answers'] => [
  { status, body: { status: false, message, ...more } },
];
const paystackFailure = (gateway_response: string): Line['answers'] => [
  { body: { status: true, data: { status: 'failed', reference: 'att-01jc0000000000000000000001', gateway_response } } },
];

describeUnclear(
  paystack,
  { secret_key: 'sk_test_1' },
  { currency: 'NGN', paymentMethod: { type: 'card', token: 'AUTH_1' } },
  [
    ...unfinished({ status: false, message: 'x' }),
    { given: 'a lost card in other words', answers: paystackFailure('Declined. Card reported lost'), reads: 'never' },
    { given: 'a stolen card in other words', answers: paystackFailure('Declined: card is stolen'), reads: 'never' },
    { given: 'a ban on retries', answers: paystackFailure('Bank declined: do not try again'), reads: 'never' },
    { given: 'a matter of risk', answers: paystackFailure('Declined by risk engine'), reads: 'never' },
    { given: 'a closed account', answers: paystackFailure('Closed Account'), reads: 'never' },
    { given: 'more than the generic words', answers: paystackFailure('Declined for reason 7'), reads: 'stays' },
    { given: 'a lost connection', answers: paystackFailure('Connection lost'), reads: 'stays' },
    ...[
      'Declined',
      'Transaction declined by issuer',
      'Your card was declined.',
      'Your bank declined this transaction',
    ].map(
      (words): Line => ({ given: `the generic words “${words}”`, answers: paystackFailure(words), reads: 'elsewhere' }),
    ),
    { given: 'a lost card under HTTP 422', answers: paystackWords('Lost card', 422), reads: 'never' },
    { given: 'new words under HTTP 402', answers: paystackWords('Something new', 402), reads: 'stays' },
    {
      given: 'a fault without a type',
      answers: paystackWords('An error occurred', 400, { code: 'unknown' }),
      reads: 'open',
    },
    {
      given: 'a fault of its processor, with a transaction that has no status',
      answers: paystackWords('Declined', 400, { type: 'processor_error', data: { status: null } }),
      reads: 'open',
    },
  ],
);

const NO_TRANSACTION = { status: 400, body: { status: 'error', message: 'No transaction was found for this id' } };
const flutterwaveWords = (message: string | null, status = 400): Line['answers'] => [
  { status, body: { status: 'error', message, data: null } },
  NO_TRANSACTION,
];
const flutterwaveTransaction = (more: Json): Line['answers'] => [
  {
    body: {
      status: 'success',
      data: { id: 7, tx_ref: AN_ORDER.attemptId, status: 'successful', currency: 'NGN', ...more },
    },
  },
];

describeUnclear(
  flutterwave,
  { secret_key: `FLWSECK_TEST-${'a'.repeat(32)}-X`, webhook_secret: 'hash-of-the-shop' },
  { currency: 'NGN', paymentMethod: { type: 'card', token: 'flw-t1nf-1' } },
  [
    ...STATUSES_OF_OTHERS.map(
      (status): Line => ({ given: `HTTP ${status}`, answers: flutterwaveWords('x', status), reads: 'open' }),
    ),
    { given: 'a ban on retries', answers: flutterwaveWords('Do not try again'), reads: 'never' },
    {
      given: 'a single charge that failed, and whose processor did not answer',
      fetch: '7',
      answers: flutterwaveTransaction({ status: 'failed', processor_response: 'Request timed out' }),
      reads: 'open',
    },
    { given: 'no words at all', answers: flutterwaveWords(null), reads: 'stays' },
    { given: 'new words under HTTP 422', answers: flutterwaveWords('Something new', 422), reads: 'stays' },
    {
      given: 'a charged amount with the noise of floating point',
      fetch: '7',
      answers: flutterwaveTransaction({ amount: 500.01, charged_amount: 508.0100000001 }),
      reads: 'paid 50001 NGN',
    },
    {
      given: 'less charged than asked for',
      fetch: '7',
      answers: flutterwaveTransaction({ amount: 500.01, charged_amount: 400 }),
      reads: 'paid 40000 NGN',
    },
  ],
);
