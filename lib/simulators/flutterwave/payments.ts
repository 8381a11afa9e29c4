import { reasonFor } from '#lib/simulators/flutterwave/declines.ts';
import { invalid, json, notFound } from '#lib/simulators/flutterwave/errors.ts';
import { announceCharge } from '#lib/simulators/flutterwave/events.ts';
import {
  idOfFlwRef,
  isTokenFormat,
  isTransaction,
  objectsOfReference,
  type StoredTransaction,
  type Transaction,
  type TransactionNotes,
  transactionIdOfToken,
  withToken,
} from '#lib/simulators/flutterwave/objects.ts';
import { attemptCharge, fail, newTransaction, succeed } from '#lib/simulators/flutterwave/outcomes.ts';
import {
  apiRoute,
  chargeFields,
  checkBody,
  requiredText,
  type Success,
  textIn,
  urlFrom,
} from '#lib/simulators/flutterwave/requests.ts';
import { type MethodOutcome, MOBILE_MONEY, OTPS, outcomeOfToken } from '#lib/simulators/flutterwave/test-methods.ts';
import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import { scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { Call, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { BASE_URL, type WireResponse } from '#lib/simulators/kit/wire.ts';

const COMMON_FIELDS = [
  'tx_ref',
  'amount',
  'currency',
  'email',
  'redirect_url',
  'meta',
  'ip',
  'narration',
  'device_fingerprint',
  'fullname',
];
const TOKEN_FIELDS = [
  ...COMMON_FIELDS,
  'token',
  'country',
  'first_name',
  'last_name',
  'full_name',
  'payment_plan',
  'subaccounts',
  'do_3ds',
  'preauthorize',
];
const PHONE_FIELDS = [...COMMON_FIELDS, 'phone_number', 'network', 'country', 'order_id', 'voucher', 'client_ip'];

function startCharge(call: Call, work: UnitOfWork, type: string, outcome: MethodOutcome): StoredTransaction {
  const { input, paymentId, scenario } = call;
  const fields = chargeFields(call, 'email');
  const redirectUrl = textIn(input, 'redirect_url');
  const returnUrl = redirectUrl === null ? null : urlFrom(redirectUrl);
  const token = textIn(input, 'token');
  const known = token !== null && isTokenFormat(token) ? { token } : {};
  const notes = { ...scenarioNotes(scenario), waitsFor: null, returnUrl, ...known };
  const name = textIn(input, 'fullname') ?? 'Anonymous customer';
  const transaction = newTransaction(work, {
    ...fields,
    type,
    name,
    phone: textIn(input, 'phone_number'),
    paymentId,
    notes,
  });
  return attemptCharge(work, transaction, scenario?.behaviour ?? null, outcome);
}

const MODES = { page: 'redirect', otp: 'otp', time: null } as const;

function authorization({ id, notes }: StoredTransaction): object | null {
  const mode = notes.waitsFor === null ? null : MODES[notes.waitsFor];
  if (mode === 'otp') return { authorization: { mode, endpoint: '/v3/validate-charge' } };
  return mode && { authorization: { mode, redirect: `${BASE_URL}/flutterwave/3ds/${id}` } };
}

/** A charge that failed at once is an error response with its transaction. */
function chargeResponse(stored: StoredTransaction): Success | WireResponse {
  const { status, processor_response: reason } = stored.body;
  if (status === 'failed') return json(400, { status: 'error', message: reason, data: stored.body });
  const meta = authorization(stored);
  const message = status === 'successful' ? 'Charge successful' : 'Charge initiated';
  return {
    message: meta ? 'Charge authorization data required' : message,
    data: withToken(stored),
    ...(meta && { meta }),
  };
}

/**
 * A token works only with the e-mail address that first paid with its card. Here the transaction itself contains the
 * customer's next action.
 */
function chargeToken(call: Call, work: UnitOfWork): Success | WireResponse {
  checkBody(call, TOKEN_FIELDS);
  const token = requiredText(call.input, 'token');
  const outcome = outcomeOfToken(token);
  const first = findOwned(work, transactionIdOfToken(token), isTransaction);
  if (first?.body.status === 'successful' && first.body.customer.email !== requiredText(call.input, 'email'))
    throw invalid('Wrong token or email passed');
  const stored = startCharge(call, work, 'card', outcome);
  const meta = authorization(stored);
  return meta
    ? { message: 'Charge initiated', data: { ...stored.body, auth_model: 'VBVSECURECODE', meta } }
    : chargeResponse(stored);
}

function chargePhone(call: Call, work: UnitOfWork): Success | WireResponse {
  checkBody(call, PHONE_FIELDS);
  const type = call.request.query.get('type') ?? '';
  const kind = Object.hasOwn(MOBILE_MONEY, type) ? MOBILE_MONEY[type] : undefined;
  if (!kind) throw invalid(`Charge type ${type} is not supported here`);
  for (const name of ['phone_number', ...kind.requiredFields]) requiredText(call.input, name);
  if (!/^\+?\d{8,15}$/.test(requiredText(call.input, 'phone_number')))
    throw invalid('phone_number must be a valid phone number');
  const network = textIn(call.input, 'network');
  if (network !== null && !kind.networks.includes(network))
    throw invalid(`network must be one of ${kind.networks.join(', ')}`);
  if (!kind.currencies.includes(requiredText(call.input, 'currency')))
    throw invalid(`currency must be ${kind.currencies.join(' or ')}`);
  const stored = startCharge(call, work, kind.paymentType, kind.silent ? 'page' : 'time');
  if (!kind.silent || stored.body.status === 'failed') return withCallback(chargeResponse(stored), type);
  const meta = authorization(stored);
  return { message: 'Charge initiated', ...(meta && { meta }) };
}

/** Francs: the phone answers, and nothing is to do on a page. */
const withCallback = (response: Success | WireResponse, type: string): Success | WireResponse =>
  type === 'mobile_money_franco' && !('headers' in response) && response.meta === undefined
    ? { ...response, meta: { authorization: { mode: 'callback', redirect_url: null } } }
    : response;

function validateCharge(call: Call, work: UnitOfWork): Success | WireResponse {
  checkBody(call, ['otp', 'flw_ref', 'type']);
  const otp = requiredText(call.input, 'otp');
  const stored = findOwned(work, idOfFlwRef(requiredText(call.input, 'flw_ref')), isTransaction);
  if (!stored) throw notFound('transaction');
  if (stored.notes.waitsFor !== 'otp') throw invalid('Transaction does not require validation');
  if (!OTPS.has(otp)) throw invalid('Invalid OTP. Please try again.');
  if (call.scenario === null) work.setWebhookMode(stored.notes.webhook);
  const behaviour = call.scenario?.behaviour;
  const after =
    behaviour?.kind === 'decline'
      ? fail(work, stored, reasonFor(behaviour.code))
      : succeed(work, stored, behaviour?.kind === 'wrong_amount' ? 1 : 0);
  return after.body.status === 'failed'
    ? chargeResponse(after)
    : { message: 'Charge validated', data: withToken(after) };
}

const PER_PAGE = 10;

export function findTransaction(work: UnitOfWork, id: string): StoredTransaction {
  const stored = findOwned(work, id, isTransaction);
  if (!stored) throw notFound('transaction');
  return stored;
}

/** Of several transactions with one reference: the successful one, else the newest. */
function findByReference(work: UnitOfWork, txRef: string): StoredTransaction {
  const newest = objectsOfReference(work, txRef).filter(isTransaction).toReversed();
  const found = newest.find(({ body }) => body.status === 'successful') ?? newest[0];
  if (!found) throw notFound('transaction');
  return found;
}

/** A row names the customer where a transaction contains it, and its ids are text. */
function rowOf({ body }: StoredTransaction): object {
  const { customer, card: _, meta: __, ...row } = body;
  return { ...row, id: String(row.id), customer_name: customer.name, customer_email: customer.email };
}

/** Newest first. `from` and `to` are days. */
function listTransactions({ request: { query } }: Call, work: UnitOfWork) {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '9999'];
  const asked = ({ body }: StoredTransaction): boolean =>
    body.created_at.slice(0, 10) >= from &&
    body.created_at.slice(0, 10) <= to &&
    (query.get('tx_ref') ?? body.tx_ref) === body.tx_ref &&
    (query.get('status') ?? body.status) === body.status;
  const all = work.objects
    .ofKind<Transaction, TransactionNotes>(work.account, 'transaction')
    .filter(asked)
    .toReversed();
  const page = Number(query.get('page') ?? '1');
  return {
    message: 'Transactions fetched',
    meta: { page_info: { total: all.length, current_page: page, total_pages: Math.ceil(all.length / PER_PAGE) } },
    data: all.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(rowOf),
  };
}

function sendAgain({ params }: Call, work: UnitOfWork) {
  announceCharge(work, findTransaction(work, params.id ?? ''));
  return { message: 'hook sent successfully', data: 'hook sent' };
}

export const paymentRoutes = [
  apiRoute('POST', '/v3/tokenized-charges', 'create', chargeToken),
  apiRoute('POST', '/v3/charges', 'create', chargePhone),
  apiRoute('POST', '/v3/validate-charge', 'confirm', validateCharge),
  apiRoute('GET', '/v3/transactions/{id}/verify', 'fetch', ({ params }, work) => {
    return { message: 'Transaction fetched successfully', data: withToken(findTransaction(work, params.id ?? '')) };
  }),
  apiRoute('GET', '/v3/transactions/verify_by_reference', 'find', ({ request }, work) => {
    return {
      message: 'Transaction fetched successfully',
      data: withToken(findByReference(work, request.query.get('tx_ref') ?? '')),
    };
  }),
  apiRoute('GET', '/v3/transactions', 'find', listTransactions),
  apiRoute('POST', '/v3/transactions/{id}/resend-hook', 'find', sendAgain),
  apiRoute('GET', '/v3/balances', 'ping', () => ({
    message: 'Wallet balances fetched',
    data: ['NGN', 'USD', 'EUR'].map((currency) => ({
      currency,
      available_balance: 12_345.67,
      ledger_balance: 12_345.67,
    })),
  })),
];
