import { scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { BASE_URL } from '#lib/simulators/kit/wire.ts';
import { apiError, invalid } from '#lib/simulators/paystack/errors.ts';
import { CURRENCIES } from '#lib/simulators/paystack/money.ts';
import {
  AUTHORIZATION_PREFIX,
  getTransaction,
  newCode,
  newNumericId,
  type StoredTransaction,
  type Transaction,
  type TransactionNotes,
  transactionView,
} from '#lib/simulators/paystack/objects.ts';
import { attemptCharge, decidesOutcome, waitForCustomer } from '#lib/simulators/paystack/outcomes.ts';
import {
  type ApiRequest,
  apiRoute,
  emailIn,
  integerIn,
  metadataIn,
  referenceIn,
  type Success,
  textIn,
} from '#lib/simulators/paystack/requests.ts';
import { cardIn, cardWithSteps } from '#lib/simulators/paystack/test-methods.ts';

/** Validates the common fields and stores a transaction. Its number and access code become aliases. */
export function newTransaction(
  { input, call, domain, feeOnTop }: ApiRequest,
  work: UnitOfWork,
  method: Pick<TransactionNotes, 'card'> & Partial<TransactionNotes> & { readonly channel: string },
): StoredTransaction {
  const { channel, ...more } = method;
  const email = emailIn(input);
  const amount = integerIn(input, 'amount');
  if (amount === undefined) throw invalid('"amount" is required', 'invalid_amount');
  const currency = textIn(input, 'currency') ?? 'NGN';
  if (!CURRENCIES.includes(currency))
    throw apiError(403, { message: 'Currency not supported by merchant', code: 'unsupported_currency' });
  const reference = referenceIn(input, work);
  const accessCode = newCode();
  const body: Transaction = {
    id: newNumericId(),
    domain,
    status: 'abandoned',
    reference,
    amount,
    requested_amount: amount,
    message: null,
    gateway_response: 'The transaction was not completed',
    paid_at: null,
    created_at: work.now.toISOString(),
    channel,
    currency,
    metadata: metadataIn(input.metadata) ?? '',
    fees: null,
    email,
    attempts: 0,
  };
  const notes: TransactionNotes = {
    steps: [],
    responseFields: {},
    accessCode,
    callbackUrl: null,
    onPage: false,
    refunded: 0,
    feeOnTop,
    ...scenarioNotes(call.scenario),
    ...more,
  };
  const base = { account: work.account, due: null, parent: null };
  for (const id of [String(body.id), accessCode])
    work.objects.put({ ...base, id, kind: 'alias', paymentId: null, parent: reference, body: null, notes: null });
  return work.objects.put({ ...base, id: reference, kind: 'transaction', paymentId: call.paymentId, body, notes });
}

const CHANNELS: readonly unknown[] = [
  'card',
  'bank',
  'ussd',
  'qr',
  'eft',
  'mobile_money',
  'bank_transfer',
  'apple_pay',
];

function callbackIn({ callback_url: url }: ApiRequest['input']): string | null {
  if (url === undefined) return null;
  if (!/^https?:\/\/\S+$/.test(String(url))) throw invalid('Invalid callback URL', 'invalid_callback_url');
  return String(url);
}

function initialize(request: ApiRequest, work: UnitOfWork): Success {
  const { channels } = request.input;
  if (
    channels !== undefined &&
    !(Array.isArray(channels) && channels.length > 0 && channels.every((channel) => CHANNELS.includes(channel)))
  )
    throw invalid('Invalid value(s) provided in channels', 'invalid_channels');
  const channel = Array.isArray(channels) ? String(channels[0]) : 'card';
  const { body, notes } = newTransaction(request, work, {
    card: cardWithSteps(),
    channel,
    onPage: true,
    callbackUrl: callbackIn(request.input),
  });
  const data = {
    authorization_url: `${BASE_URL}/paystack/checkout/${notes.accessCode}`,
    access_code: notes.accessCode,
    reference: body.reference,
  };
  return { message: 'Authorization URL created', data };
}

/** Test tokens are no codes: what they pay gets one of its own. */
const knownCode = (code: string | undefined): Pick<TransactionNotes, 'authorizationCode'> =>
  code?.startsWith(AUTHORIZATION_PREFIX) ? { authorizationCode: code } : {};

/** A card that requires authentication is not charged: the response has the URL. Here metadata must be JSON text. */
function chargeAuthorization(request: ApiRequest, work: UnitOfWork): Success {
  const { metadata } = request.input;
  if (metadata !== undefined && typeof metadata !== 'string')
    throw invalid('metadata should be a stringified JSON object', 'invalid_metadata');
  const stored = newTransaction(request, work, {
    card: cardIn(request.input, work),
    ...knownCode(textIn(request.input, 'authorization_code')),
    channel: 'card',
    callbackUrl: callbackIn(request.input),
  });
  const { behaviour, card } = stored.notes;
  const waits = card.steps.length > 0 && !decidesOutcome(behaviour);
  const after = waits ? waitForCustomer(work, stored, ['open_url']) : attemptCharge(work, stored, behaviour);
  const { reference } = after.body;
  const { accessCode, steps } = after.notes;
  if (steps[0] !== 'open_url') return { message: 'Charge attempted', data: transactionView(after) };
  const data = {
    authorization_url: `${BASE_URL}/paystack/3ds/${accessCode}`,
    reference,
    access_code: accessCode,
    paused: true,
  };
  return { message: 'Please, redirect your customer to the authorization url provided', data };
}

export const paymentRoutes = [
  apiRoute('POST', '/transaction/initialize', 'create', initialize),
  apiRoute('POST', '/transaction/charge_authorization', 'create', chargeAuthorization),
  apiRoute('GET', '/transaction/verify/{id}', 'fetch', ({ id }, work) => ({
    message: 'Verification successful',
    data: transactionView(getTransaction(work, id)),
  })),
  apiRoute('GET', '/transaction/{id}', 'fetch', ({ id }, work) => ({
    message: 'Transaction retrieved',
    data: transactionView(getTransaction(work, id)),
  })),
  apiRoute('GET', '/balance', 'ping', () => ({
    message: 'Balances retrieved',
    data: [{ currency: 'NGN', balance: 1_000_000_00 }],
  })),
];
