import { scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { type ApiError, BASE_URL } from '#lib/simulators/kit/wire.ts';
import { declineFor } from '#lib/simulators/razorpay/declines.ts';
import { apiError, invalid, invalidState, type RazorpayError, unknownId } from '#lib/simulators/razorpay/errors.ts';
import { sign } from '#lib/simulators/razorpay/events.ts';
import { display } from '#lib/simulators/razorpay/money.ts';
import {
  expanded,
  isOrder,
  isPayment,
  newId,
  paymentsOf,
  type StoredOrder,
  type StoredPayment,
} from '#lib/simulators/razorpay/objects.ts';
import {
  type AttemptResult,
  attemptPayment,
  changePayment,
  fail,
  newPayment,
} from '#lib/simulators/razorpay/outcomes.ts';
import {
  type ApiRequest,
  apiRoute,
  type BodyShape,
  type Fields,
  findObject,
  integerIn,
  notesIn,
  paymentIdIn,
  textIn,
} from '#lib/simulators/razorpay/requests.ts';
import { methodIn, type TestMethod } from '#lib/simulators/razorpay/test-methods.ts';

const METHODS = ['card', 'netbanking', 'wallet', 'upi', 'emi', 'cardless_emi', 'paylater'];
const COMMON_FIELDS: BodyShape = {
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
const CREATE_PAYMENT: BodyShape = {
  ...COMMON_FIELDS,
  method: METHODS,
  card: { fields: { number: 'text', name: 'text', expiry_month: 'text', expiry_year: 'text', cvv: 'text' } },
  authentication: { fields: { authentication_channel: ['browser', 'app'] } },
  browser: {
    fields: {
      java_enabled: 'boolean',
      javascript_enabled: 'boolean',
      timezone_offset: 'integer',
      color_depth: 'integer',
      screen_width: 'integer',
      screen_height: 'integer',
      language: 8,
    },
  },
  bank: 'text',
  wallet: 'text',
  upi: { fields: { flow: ['intent', 'collect'], vpa: 'text', expiry_time: 'integer' } },
  ip: 'text',
  referer: 'text',
  user_agent: 'text',
  callback_url: 'text',
};

/** The order to pay, if the amount matches and it is unpaid. */
function payableOrder(input: Fields, work: UnitOfWork): StoredOrder {
  const order = findObject(work, textIn(input, 'order_id') ?? '', isOrder);
  if (integerIn(input, 'amount') !== order.body.amount || textIn(input, 'currency') !== order.body.currency) {
    throw invalidState(
      'Payment failed because the amount is different from your order amount.',
      'order_amount_mismatch',
    );
  }
  const authorized = paymentsOf(work.objects, order.id).some(({ body }) => body.status === 'authorized');
  if (order.body.status === 'paid' || authorized)
    throw invalidState('Payment already done for this order.', 'order_already_paid');
  return order;
}

function methodOfRequest(input: Fields): TestMethod {
  const method = methodIn(input);
  if (!method)
    throw invalid('The payment method of the request does not exist or is not enabled for this account.', 'method');
  return method;
}

/** A payment of a saved method names its token and customer. Test tokens are no such names. */
const savedMethodIn = ({ token, customer_id }: Fields): Fields => ({
  ...(typeof customer_id === 'string' && /^cust_\w+$/.test(customer_id) && { customer_id }),
  ...(typeof token === 'string' && /^token_\w+$/.test(token) && { token_id: token }),
});

function startPayment(
  { input, call, keySecret }: ApiRequest,
  work: UnitOfWork,
  method: TestMethod,
): { readonly payment: StoredPayment; readonly result: AttemptResult } {
  const order = payableOrder(input, work);
  const id = newId('pay');
  const { behaviour, webhook } = scenarioNotes(call.scenario);
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
  const fields = { email, contact, description, bank, wallet, ...savedMethodIn(input), notes: notesIn(input) };
  return attemptPayment(
    work,
    newPayment(work, { id, order, paymentId: paymentIdIn(input) ?? order.paymentId, notes, fields }),
    behaviour,
  );
}

/** A payment that failed at once is an error response with its id. */
function paymentFailed({ body }: StoredPayment): ApiError {
  const error: RazorpayError = {
    code: 'BAD_REQUEST_ERROR',
    description: body.error_description ?? '',
    source: String(body.error_source),
    step: String(body.error_step),
    reason: body.error_reason ?? '',
    metadata: { payment_id: body.id, order_id: body.order_id },
  };
  return apiError(error);
}

export const bankPageUrl = (id: string): string => `${BASE_URL}/razorpay/v1/payments/${id}/authorize`;

function nextActions({ id, body, notes }: StoredPayment): readonly object[] {
  const paymentUrl = `${BASE_URL}/razorpay/v1/payments/${id}`;
  const amount = display(body.amount, body.currency).slice('INR '.length);
  const upiUrl = `upi://pay?pa=shop@razorpay&pn=Shop&tr=${id.slice('pay_'.length)}&am=${amount}&cu=${body.currency}`;
  if (notes.method.authentication === 'app') {
    return [
      { action: 'intent', url: upiUrl },
      { action: 'poll', url: paymentUrl },
    ];
  }
  const otp = { action: 'otp_generate', url: `${paymentUrl}/otp_generate` };
  if (notes.method.authentication === 'code') return [otp];
  return [{ action: 'redirect', url: bankPageUrl(id) }, ...(body.method === 'card' ? [otp] : [])];
}

/** The fields that the customer returns with after success. */
export const successResponse = ({ id, body, notes }: StoredPayment): Readonly<Record<string, string>> => ({
  razorpay_payment_id: id,
  razorpay_order_id: body.order_id,
  ...(notes.signature !== null && { razorpay_signature: notes.signature }),
});

function createPayment(request: ApiRequest, work: UnitOfWork): object {
  const { payment, result } = startPayment(request, work, methodOfRequest(request.input));
  if (result === 'failed') throw paymentFailed(payment);
  if (result === 'requires_action') return { razorpay_payment_id: payment.id, next: nextActions(payment) };
  return result === 'waiting' ? { razorpay_payment_id: payment.id } : successResponse(payment);
}

/** An off-session charge of a saved method. A method that requires authentication is declined. */
function createRecurring(request: ApiRequest, work: UnitOfWork): object {
  if (request.input.recurring !== true) throw invalid('The recurring field must be true.', 'recurring');
  if (!/^cust_\w+$/.test(textIn(request.input, 'customer_id') ?? '')) throw unknownId();
  const { payment, result } = startPayment(request, work, methodOfRequest(request.input));
  const after = result === 'requires_action' ? fail(work, payment, declineFor('authentication_failed')) : payment;
  if (after.body.status === 'failed') throw paymentFailed(after);
  return { razorpay_payment_id: payment.id };
}

function paymentWaitingForCode(work: UnitOfWork, id: string): StoredPayment {
  const payment = findObject(work, id, isPayment);
  if (payment.body.status !== 'created' || payment.body.method !== 'card')
    throw invalidState('The payment is not waiting for a code.');
  work.setWebhookMode(payment.notes.webhook);
  return payment;
}

function generateOtp({ id }: ApiRequest, work: UnitOfWork): object {
  const paymentUrl = `${BASE_URL}/razorpay/v1/payments/${paymentWaitingForCode(work, id).id}`;
  return {
    razorpay_payment_id: id,
    next: [
      { action: 'otp_submit', url: `${paymentUrl}/otp/submit` },
      { action: 'otp_resend', url: `${paymentUrl}/otp/resend` },
    ],
  };
}

const MAX_WRONG_CODES = 3;

/** As in Razorpay's test mode, four to ten digits are correct. */
function submitOtp({ input, id }: ApiRequest, work: UnitOfWork): object {
  const payment = paymentWaitingForCode(work, id);
  if (/^\d{4,10}$/.test(textIn(input, 'otp') ?? '')) {
    const { payment: after, result } = attemptPayment(work, payment, null, true);
    if (result === 'failed') throw paymentFailed(after);
    return successResponse(after);
  }
  const wrong = changePayment(work, payment, {}, { wrongCodes: payment.notes.wrongCodes + 1 });
  const reason = wrong.notes.wrongCodes < MAX_WRONG_CODES ? 'incorrect_otp' : 'otp_attempts_exceeded';
  const decline = { reason, source: 'customer', step: 'payment_authentication', description: 'The code is wrong.' };
  if (reason === 'otp_attempts_exceeded') fail(work, wrong, decline);
  throw apiError({
    code: 'BAD_REQUEST_ERROR',
    ...decline,
    metadata: { payment_id: id, order_id: payment.body.order_id },
  });
}

export const paymentRoutes = [
  apiRoute('POST', '/v1/payments/create/json', 'create', {
    shape: CREATE_PAYMENT,
    required: ['amount', 'currency', 'order_id', 'email', 'contact', 'method'],
    run: createPayment,
  }),
  apiRoute('POST', '/v1/payments/create/recurring', 'create', {
    shape: { ...COMMON_FIELDS, recurring: 'boolean' },
    required: ['amount', 'currency', 'order_id', 'email', 'contact', 'customer_id', 'token', 'recurring'],
    run: createRecurring,
  }),
  apiRoute('GET', '/v1/payments/{id}', 'fetch', {
    filters: ['expand[]'],
    run: ({ id, query }, work) => expanded(findObject(work, id, isPayment).body, query),
  }),
  apiRoute('POST', '/v1/payments/{id}/otp_generate', 'otp', { run: generateOtp }),
  apiRoute('POST', '/v1/payments/{id}/otp/submit', 'confirm', {
    shape: { otp: 'text' },
    required: ['otp'],
    run: submitOtp,
  }),
];
