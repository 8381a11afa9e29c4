import { answer, api, invalid, missing, type Success } from '#lib/simulators/flutterwave/answers.ts';
import { addressFrom, asked, checkBody, needText } from '#lib/simulators/flutterwave/asked.ts';
import { attempt, type Natural } from '#lib/simulators/flutterwave/attempt.ts';
import { isTransaction, type StoredTransaction } from '#lib/simulators/flutterwave/objects.ts';
import { textAt } from '#lib/simulators/flutterwave/reading.ts';
import { looksLikeToken, paymentBehind } from '#lib/simulators/flutterwave/tokens.ts';
import { fail, newTransaction, numberOf, succeed } from '#lib/simulators/flutterwave/transactions.ts';
import { following } from '#lib/simulators/frame/following.ts';
import { ownOf } from '#lib/simulators/frame/own.ts';
import type { Call, Work } from '#lib/simulators/frame/provider.port.ts';
import { declineAsked } from '#lib/simulators/frame/test-tokens.ts';
import { HERE, type WireAnswer } from '#lib/simulators/frame/wire.ts';

const COMMON = [
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
const TOKENIZED = [...COMMON, 'token', 'country', 'first_name', 'last_name', 'payment_plan', 'subaccounts'];
const PHONE = [...COMMON, 'phone_number', 'network', 'country', 'order_id', 'voucher', 'client_ip'];

function make(call: Call, work: Work, type: string, natural: Natural): StoredTransaction {
  const { input, paymentId, script } = call;
  const wanted = asked(call, 'email');
  const address = textAt(input, 'redirect_url');
  const returnUrl = address === null ? null : addressFrom(address);
  const notes = { ...following(script), waitsFor: null, returnUrl };
  const name = textAt(input, 'fullname') ?? 'Anonymous customer';
  const made = newTransaction(work, { ...wanted, type, name, phone: textAt(input, 'phone_number'), paymentId, notes });
  return attempt(work, made, script?.behaviour ?? null, natural);
}

const MODES = { page: 'redirect', otp: 'otp', time: null } as const;

function authorization({ id, notes }: StoredTransaction): object | null {
  const mode = notes.waitsFor === null ? null : MODES[notes.waitsFor];
  if (mode === 'otp') return { authorization: { mode, endpoint: '/v3/validate-charge' } };
  return mode && { authorization: { mode, redirect: `${HERE}/flutterwave/3ds/${id}` } };
}

/** A charge that failed at once is an error that still shows its transaction. */
function shown(stored: StoredTransaction): Success | WireAnswer {
  const { status, processor_response: reason } = stored.body;
  if (status === 'failed') return answer(400, { status: 'error', message: reason, data: stored.body });
  const meta = authorization(stored);
  const message = meta
    ? 'Charge authorization data required'
    : status === 'successful'
      ? 'Charge successful'
      : 'Charge initiated';
  return { message, data: stored.body, ...(meta && { meta }) };
}

/**
 * The tokens that every simulator of this host takes, one that asks for a code, and whatever looks like a token of
 * Flutterwave.
 */
function natureOf(token: string): Natural {
  if (token === 'ok' || looksLikeToken(token)) return 'succeed';
  if (token === 'needs_3ds') return 'page';
  if (token === 'needs_otp') return 'otp';
  if (token === 'pending') return 'time';
  const decline = declineAsked(token);
  if (!decline) throw invalid('Invalid token passed');
  return { decline };
}

/**
 * Flutterwave takes a token only with the address that first paid with its card. What it asks the customer stands in
 * the transaction here.
 */
function byToken(call: Call, work: Work): Success | WireAnswer {
  checkBody(call, TOKENIZED);
  const token = needText(call.input, 'token');
  const natural = natureOf(token);
  const first = ownOf(work, paymentBehind(token), isTransaction);
  if (first?.body.status === 'successful' && first.body.customer.email !== needText(call.input, 'email'))
    throw invalid('Wrong token or email passed');
  const stored = make(call, work, 'card', natural);
  const meta = authorization(stored);
  return meta
    ? { message: 'Charge initiated', data: { ...stored.body, auth_model: 'VBVSECURECODE', meta } }
    : shown(stored);
}

/** What each kind of mobile money wants, and whether its answer shows the transaction at all. */
const KINDS: Readonly<
  Record<
    string,
    { readonly currencies: readonly string[]; readonly needs: readonly string[]; readonly silent: boolean }
  >
> = {
  mobile_money_ghana: { currencies: ['GHS'], needs: ['network'], silent: true },
  mobile_money_uganda: { currencies: ['UGX'], needs: [], silent: true },
  mobile_money_rwanda: { currencies: ['RWF'], needs: ['order_id'], silent: true },
  mobile_money_zambia: { currencies: ['ZMW'], needs: [], silent: true },
  mobile_money_tanzania: { currencies: ['TZS'], needs: [], silent: false },
  mobile_money_franco: { currencies: ['XAF', 'XOF'], needs: ['country'], silent: false },
  mpesa: { currencies: ['KES'], needs: [], silent: false },
};
const NETWORKS: ReadonlySet<string> = new Set(['MTN', 'VODAFONE', 'TIGO']);

function byPhone(call: Call, work: Work): Success | WireAnswer {
  checkBody(call, PHONE);
  const type = call.request.query.get('type') ?? '';
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (!kind) throw invalid(`Charge type ${type} is not supported here`);
  for (const name of ['phone_number', ...kind.needs]) needText(call.input, name);
  if (!/^\d{8,15}$/.test(needText(call.input, 'phone_number')))
    throw invalid('phone_number must be a valid phone number');
  if (kind.needs.includes('network') && !NETWORKS.has(needText(call.input, 'network')))
    throw invalid('network must be one of MTN, VODAFONE, TIGO');
  if (!kind.currencies.includes(needText(call.input, 'currency')))
    throw invalid(`currency must be ${kind.currencies.join(' or ')}`);
  const stored = make(call, work, type, kind.silent ? 'page' : 'time');
  if (!kind.silent || stored.body.status === 'failed') return shown(stored);
  const meta = authorization(stored);
  return { message: 'Charge initiated', ...(meta && { meta }) };
}

const OTPS: ReadonlySet<string> = new Set(['12345', '123456']);

function validate(call: Call, work: Work): Success | WireAnswer {
  checkBody(call, ['otp', 'flw_ref', 'type']);
  const otp = needText(call.input, 'otp');
  const stored = ownOf(work, numberOf(needText(call.input, 'flw_ref')), isTransaction);
  if (!stored) throw missing('transaction');
  if (stored.notes.waitsFor !== 'otp') throw invalid('Transaction does not require validation');
  if (!OTPS.has(otp)) throw invalid('Invalid OTP. Please try again.');
  if (call.script === null) work.sendBy(stored.notes.webhook);
  const behaviour = call.script?.behaviour;
  const after =
    behaviour?.kind === 'decline'
      ? fail(work, stored, behaviour.code)
      : succeed(work, stored, behaviour?.kind === 'wrong_amount' ? 1 : 0);
  return after.body.status === 'failed' ? shown(after) : { message: 'Charge validated', data: after.body };
}

export const chargeRoutes = [
  api('POST', '/v3/tokenized-charges', 'create', byToken),
  api('POST', '/v3/charges', 'create', byPhone),
  api('POST', '/v3/validate-charge', 'confirm', validate),
];
