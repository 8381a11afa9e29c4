import { isObject } from '#lib/simulators/kit/json.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { BASE_URL } from '#lib/simulators/kit/wire.ts';
import { apiError, invalid } from '#lib/simulators/paystack/errors.ts';
import {
  type ChargeStep,
  chargeView,
  getTransaction,
  type StoredTransaction,
  type TransactionNotes,
} from '#lib/simulators/paystack/objects.ts';
import {
  attemptCharge,
  changeTransaction,
  decidesOutcome,
  fail,
  waitForCustomer,
} from '#lib/simulators/paystack/outcomes.ts';
import { newTransaction } from '#lib/simulators/paystack/payments.ts';
import { type ApiRequest, apiRoute, requiredText, type Success, textIn } from '#lib/simulators/paystack/requests.ts';
import { cardIn, cardWithSteps } from '#lib/simulators/paystack/test-methods.ts';

type PaymentMethod = Pick<TransactionNotes, 'card'> & Partial<TransactionNotes> & { readonly channel: string };
type ResponseFields = Readonly<Record<string, unknown>>;

const method = (channel: string, steps: readonly ChargeStep[], responseFields: ResponseFields = {}): PaymentMethod => ({
  channel,
  card: cardWithSteps(steps),
  responseFields,
});

const NO_METHOD =
  'One of Authorization code, card object, bank object, ussd object, mobile money object, qr ' +
  'object, or EFT object should be passed.';

const WALLETS = ['mtn', 'atl', 'vod', 'tgo', 'mpesa', 'mpesa_offline', 'mptill', 'orange', 'wave'];
const USSD = ['737', '919', '822', '966'];

/** The steps of each test bank: Zenith is documented, 999 requires every step. */
const BANKS: Readonly<Record<string, readonly ChargeStep[]>> = {
  '057': ['send_birthday', 'send_otp'],
  '999': ['send_pin', 'send_phone', 'send_birthday', 'send_address', 'send_otp'],
};

/** Field of the payment method → its channel and steps. */
const METHODS: Readonly<Record<string, (details: ResponseFields, work: UnitOfWork) => PaymentMethod>> = {
  mobile_money: (details) => {
    const provider = requiredText(details, 'provider');
    requiredText(details, provider === 'mptill' ? 'account' : 'phone');
    if (!WALLETS.includes(provider.toLowerCase()))
      throw invalid('Invalid provider passed for mobile money', 'invalid_provider');
    // Customers of Telecel generate a voucher code on their phone and enter it.
    if (provider.toLowerCase() === 'vod')
      return method('mobile_money', ['send_otp'], {
        display_text: 'Please dial *110# to generate a voucher code. Then input the voucher',
      });
    return method('mobile_money', ['pay_offline'], {
      display_text: 'Please complete authorization process on your mobile phone',
    });
  },
  ussd: (details) => {
    const type = requiredText(details, 'type');
    if (!USSD.includes(type)) throw invalid('Invalid USSD type passed', 'invalid_ussd_type');
    return method('ussd', ['pay_offline'], {
      display_text: `Please dial *${type}*33*4*18791# on your mobile phone to complete the transaction`,
      ussd_code: `*${type}*33*4*18791#`,
    });
  },
  bank: (details) => {
    const steps = BANKS[requiredText(details, 'code')];
    if (!steps) throw invalid('Bank is not supported for this payment', 'unsupported_bank');
    if (!/^\d{10}$/.test(requiredText(details, 'account_number')))
      throw invalid('Invalid account number passed', 'invalid_account_number');
    return method('bank', steps, { display_text: 'Please enter what your bank asks for' });
  },
  bank_transfer: (details, work) => {
    const account_expires_at =
      textIn(details, 'account_expires_at') ?? new Date(work.now.getTime() + 30 * 60_000).toISOString();
    const bank = { slug: 'test-bank', name: 'Test Bank', id: 24 };
    return method('bank_transfer', ['pending_bank_transfer'], {
      account_name: 'PAYSTACK CHECKOUT',
      account_number: '1238259363',
      bank,
      account_expires_at,
    });
  },
  qr: (details) => {
    requiredText(details, 'provider');
    return method('qr', ['pay_offline'], {
      display_text: 'Please scan the QR code with your bank app',
      qr_image: `${BASE_URL}/paystack/qr.png`,
    });
  },
  eft: (details) => {
    requiredText(details, 'provider');
    return method('eft', ['open_url']);
  },
};

function methodIn(input: ApiRequest['input'], work: UnitOfWork): PaymentMethod {
  if (input.authorization_code !== undefined) return { card: cardIn(input, work), channel: 'card' };
  const name = Object.keys(METHODS).find((key) => input[key] !== undefined);
  const details = name === undefined ? undefined : input[name];
  const build = name === undefined ? undefined : METHODS[name];
  if (build && isObject(details)) return build(details, work);
  throw invalid(NO_METHOD, 'missing_params');
}

/** Attempts the charge at once if a scenario decides it; else the customer first does the steps of the method. */
function createCharge(request: ApiRequest, work: UnitOfWork): Success {
  const stored = newTransaction(request, work, methodIn(request.input, work));
  const { behaviour, card } = stored.notes;
  const after =
    card.steps.length > 0 && !decidesOutcome(behaviour)
      ? waitForCustomer(work, stored, card.steps)
      : attemptCharge(work, stored, behaviour);
  return { message: 'Charge attempted', data: chargeView(after) };
}

type Submission = {
  readonly step: ChargeStep;
  readonly names: readonly string[];
  readonly isValid: (text: string) => boolean;
  readonly error: string;
};

const SUBMISSIONS: Readonly<Record<string, Submission>> = {
  pin: { step: 'send_pin', names: ['pin'], isValid: (pin) => pin === '1111' || pin === '1234', error: 'Incorrect PIN' },
  otp: {
    step: 'send_otp',
    names: ['otp'],
    isValid: (otp) => otp === '123456',
    error: 'Token Not Generated. Customer Not Registered on Token Platform',
  },
  phone: { step: 'send_phone', names: ['phone'], isValid: () => true, error: '' },
  birthday: {
    step: 'send_birthday',
    names: ['birthday'],
    isValid: (day) => /^\d{4}-\d\d-\d\d$/.test(day),
    error: 'Invalid birthday',
  },
  address: { step: 'send_address', names: ['address', 'city', 'state', 'zip_code'], isValid: () => true, error: '' },
};

const submitStep = (name: string) => (request: ApiRequest, work: UnitOfWork) => {
  const { step, names, isValid, error } = SUBMISSIONS[name] ?? {
    step: 'pending',
    names: [],
    isValid: () => false,
    error: '',
  };
  const [value = ''] = names.map((field) => requiredText(request.input, field));
  const stored = getTransaction(work, requiredText(request.input, 'reference'));
  if (stored.notes.steps[0] !== step)
    throw apiError(400, { message: 'Charge attempted', code: 'invalid_charge_state' });
  if (!request.call.scenario) work.setWebhookMode(stored.notes.webhook);
  return {
    message: 'Charge attempted',
    data: chargeView(isValid(value) ? nextStep(work, stored, request) : fail(work, stored, error)),
  };
};

/** Waits for the next step, or attempts the charge after the last one. A scenario for this call comes first. */
function nextStep(work: UnitOfWork, stored: StoredTransaction, { call }: ApiRequest): StoredTransaction {
  const steps = stored.notes.steps.slice(1);
  const behaviour = call.scenario?.behaviour ?? null;
  const next = changeTransaction(work, stored, {}, { responseFields: {} });
  return steps.length > 0 && !decidesOutcome(behaviour)
    ? waitForCustomer(work, next, steps)
    : attemptCharge(work, next, decidesOutcome(behaviour) ? behaviour : stored.notes.behaviour);
}

export const chargeRoutes = [
  apiRoute('POST', '/charge', 'create', createCharge),
  ...Object.keys(SUBMISSIONS).map((name) => apiRoute('POST', `/charge/submit_${name}`, 'confirm', submitStep(name))),
  apiRoute('GET', '/charge/{id}', 'fetch', ({ id }, work) => {
    const stored = getTransaction(work, id);
    // The page waits for its first attempt: there is no charge yet.
    if (stored.body.status === 'abandoned')
      throw apiError(400, { message: 'Transaction has not been attempted', code: 'no_charge_attempt' });
    return { message: 'Reference check successful', data: chargeView(stored) };
  }),
];
