import { following } from '#lib/simulators/frame/following.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import type { Refusal } from '#lib/simulators/frame/refusal.ts';
import { HERE } from '#lib/simulators/frame/wire.ts';
import { type Ask, api, collection, find } from '#lib/simulators/razorpay/ask.ts';
import { declineFor } from '#lib/simulators/razorpay/declines.ts';
import { impossible, invalid, noSuchId, type RazorpayError, refused } from '#lib/simulators/razorpay/errors.ts';
import { sign } from '#lib/simulators/razorpay/events.ts';
import { display } from '#lib/simulators/razorpay/money.ts';
import {
  isOrder,
  isPayment,
  newId,
  type Payment,
  paymentsOf,
  type StoredOrder,
  type StoredPayment,
} from '#lib/simulators/razorpay/objects.ts';
import { attempt, type Came, capture, changePayment, fail, newPayment } from '#lib/simulators/razorpay/outcomes.ts';
import { methodIn, type TestMethod } from '#lib/simulators/razorpay/test-methods.ts';
import {
  type Fields,
  integerIn,
  notesIn,
  paymentIdIn,
  type Shape,
  textIn,
} from '#lib/simulators/razorpay/validation.ts';

const METHODS = ['card', 'netbanking', 'wallet', 'upi', 'emi', 'cardless_emi', 'paylater'];
const COMMON: Shape = {
  amount: 'integer',
  currency: 'text',
  order_id: 'text',
  email: 'text',
  contact: 'text',
  token: 'text',
  customer_id: 'text',
  description: 255,
  notes: 'notes',
};
const CREATE: Shape = {
  ...COMMON,
  method: METHODS,
  card: { fields: { number: 'text', name: 'text', expiry_month: 'text', expiry_year: 'text', cvv: 'text' } },
  authentication: { fields: { authentication_channel: ['browser', 'app'] } },
  browser: 'any',
  bank: 'text',
  wallet: 'text',
  upi: { fields: { flow: ['intent', 'collect'], vpa: 'text', expiry_time: 'integer' } },
  ip: 'text',
  referer: 'text',
  user_agent: 'text',
  callback_url: 'text',
};

/** The order that is paid: of this amount, and not paid yet. */
function payableOrder(input: Fields, work: Work): StoredOrder {
  const order = find(work, textIn(input, 'order_id') ?? '', isOrder);
  if (integerIn(input, 'amount') !== order.body.amount || textIn(input, 'currency') !== order.body.currency) {
    throw impossible('Payment failed because the amount is different from your order amount.', 'order_amount_mismatch');
  }
  const held = paymentsOf(work.objects, order.id).some(({ body }) => body.status === 'authorized');
  if (order.body.status === 'paid' || held)
    throw impossible('Payment already done for this order.', 'order_already_paid');
  return order;
}

function payingWith(input: Fields): TestMethod {
  const method = methodIn(input);
  if (!method)
    throw invalid('The payment method of the request does not exist or is not enabled for this account.', 'method');
  return method;
}

function begin(
  { input, call, keySecret }: Ask,
  work: Work,
  method: TestMethod,
): { readonly payment: StoredPayment; readonly came: Came } {
  const order = payableOrder(input, work);
  const id = newId('pay');
  const { behaviour, webhook } = following(call.script);
  const notes = {
    behaviour: null,
    webhook,
    method,
    capture: order.notes.capture,
    link: null,
    callbackUrl: textIn(input, 'callback_url'),
    signature: sign(keySecret, `${order.id}|${id}`),
    wrongCodes: 0,
  };
  const { email = null, contact = null, description = null, bank = null, wallet = null } = input;
  const shown = { email, contact, description, bank, wallet, notes: notesIn(input) };
  return attempt(
    work,
    newPayment(work, { id, order, paymentId: paymentIdIn(input) ?? order.paymentId, notes, shown }),
    behaviour,
  );
}

/** A payment that failed at once is answered as an error that names it. */
function failure({ body }: StoredPayment): Refusal {
  const error: RazorpayError = {
    code: 'BAD_REQUEST_ERROR',
    description: body.error_description ?? '',
    source: String(body.error_source),
    step: String(body.error_step),
    reason: body.error_reason ?? '',
    metadata: { payment_id: body.id, order_id: body.order_id },
  };
  return refused(error);
}

export const bankAddress = (id: string): string => `${HERE}/razorpay/v1/payments/${id}/authorize`;

function steps({ id, body, notes }: StoredPayment): readonly object[] {
  const here = `${HERE}/razorpay/v1/payments/${id}`;
  const app = `upi://pay?pa=shop@razorpay&pn=Shop&tr=${id.slice('pay_'.length)}&am=${display(body.amount, body.currency).slice(4)}&cu=${body.currency}`;
  if (notes.method.asks === 'app') {
    return [
      { action: 'intent', url: app },
      { action: 'poll', url: here },
    ];
  }
  const code = { action: 'otp_generate', url: `${here}/otp_generate` };
  if (notes.method.asks === 'code') return [code];
  return [{ action: 'redirect', url: bankAddress(id) }, ...(body.method === 'card' ? [code] : [])];
}

/** What the customer brings back after success. */
export const success = ({ id, body, notes }: StoredPayment): Readonly<Record<string, string>> => ({
  razorpay_payment_id: id,
  razorpay_order_id: body.order_id,
  ...(notes.signature !== null && { razorpay_signature: notes.signature }),
});

function create(ask: Ask, work: Work): object {
  const { payment, came } = begin(ask, work, payingWith(ask.input));
  if (came === 'failed') throw failure(payment);
  if (came === 'asked') return { razorpay_payment_id: payment.id, next: steps(payment) };
  return came === 'waiting' ? { razorpay_payment_id: payment.id } : success(payment);
}

/** An off-session charge of a saved method: a method that would ask the customer is declined. */
function createRecurring(ask: Ask, work: Work): object {
  if (ask.input.recurring !== true) throw invalid('The recurring field must be true.', 'recurring');
  if (!/^cust_\w+$/.test(textIn(ask.input, 'customer_id') ?? '')) throw noSuchId();
  const { payment, came } = begin(ask, work, payingWith(ask.input));
  const after = came === 'asked' ? fail(work, payment, declineFor('authentication_failed')) : payment;
  if (after.body.status === 'failed') throw failure(after);
  return { razorpay_payment_id: payment.id };
}

function captureAll({ input, id }: Ask, work: Work): Payment {
  const payment = find(work, id, isPayment);
  if (payment.body.captured) throw impossible('This payment has already been captured');
  if (payment.body.status !== 'authorized')
    throw impossible('Only payments which have been authorized and not yet captured can be captured');
  if (integerIn(input, 'amount') !== payment.body.amount)
    throw impossible('Capture amount must be equal to the amount authorized');
  if (textIn(input, 'currency') !== payment.body.currency)
    throw impossible('Capture currency must be equal to the payment currency');
  work.sendBy(payment.notes.webhook);
  return capture(work, payment).body;
}

function openPayment(work: Work, id: string): StoredPayment {
  const payment = find(work, id, isPayment);
  if (payment.body.status !== 'created' || payment.body.method !== 'card')
    throw impossible('The payment is not waiting for a code.');
  work.sendBy(payment.notes.webhook);
  return payment;
}

function generateOtp({ id }: Ask, work: Work): object {
  const here = `${HERE}/razorpay/v1/payments/${openPayment(work, id).id}`;
  return {
    razorpay_payment_id: id,
    next: [
      { action: 'otp_submit', url: `${here}/otp/submit` },
      { action: 'otp_resend', url: `${here}/otp/resend` },
    ],
  };
}

const MOST_WRONG_CODES = 3;

/** As in test mode: four to ten digits are right, fewer are wrong. */
function submitOtp({ input, id }: Ask, work: Work): object {
  const payment = openPayment(work, id);
  if (/^\d{4,10}$/.test(textIn(input, 'otp') ?? '')) {
    const { payment: after, came } = attempt(work, payment, null, true);
    if (came === 'failed') throw failure(after);
    return success(after);
  }
  const wrong = changePayment(work, payment, {}, { wrongCodes: payment.notes.wrongCodes + 1 });
  const reason = wrong.notes.wrongCodes < MOST_WRONG_CODES ? 'incorrect_otp' : 'otp_attempts_exceeded';
  const decline = { reason, source: 'customer', step: 'payment_authentication', description: 'The code is wrong.' };
  if (reason === 'otp_attempts_exceeded') fail(work, wrong, decline);
  throw refused({
    code: 'BAD_REQUEST_ERROR',
    ...decline,
    metadata: { payment_id: id, order_id: payment.body.order_id },
  });
}

export const paymentRoutes = [
  api('POST', '/v1/payments/create/json', 'create', {
    shape: CREATE,
    required: ['amount', 'currency', 'order_id', 'email', 'contact', 'method'],
    run: create,
  }),
  api('POST', '/v1/payments/create/recurring', 'create', {
    shape: { ...COMMON, recurring: 'boolean' },
    required: ['amount', 'currency', 'order_id', 'email', 'contact', 'customer_id', 'token', 'recurring'],
    run: createRecurring,
  }),
  api('GET', '/v1/payments', 'ping', {
    filters: ['count', 'skip', 'from', 'to'],
    run: ({ query }) => collection([], query),
  }),
  api('GET', '/v1/payments/{id}', 'fetch', { run: ({ id }, work) => find(work, id, isPayment).body }),
  api('POST', '/v1/payments/{id}/capture', 'capture', {
    shape: { amount: 'integer', currency: 'text' },
    required: ['amount', 'currency'],
    run: captureAll,
  }),
  api('POST', '/v1/payments/{id}/otp_generate', 'otp', { run: generateOtp }),
  api('POST', '/v1/payments/{id}/otp/submit', 'confirm', { shape: { otp: 'text' }, required: ['otp'], run: submitOtp }),
];
