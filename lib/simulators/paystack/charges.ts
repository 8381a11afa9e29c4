import { isObject } from '#lib/simulators/frame/json.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { HERE } from '#lib/simulators/frame/wire.ts';
import { type Ask, api, invalid, need, refused, type Told, textIn } from '#lib/simulators/paystack/answers.ts';
import { cardIn } from '#lib/simulators/paystack/authorizations.ts';
import { needTransaction } from '#lib/simulators/paystack/finding.ts';
import { make } from '#lib/simulators/paystack/making.ts';
import type { Notes, Step, StoredTransaction } from '#lib/simulators/paystack/objects.ts';
import { attempt, change, decides, fail, wait } from '#lib/simulators/paystack/outcomes.ts';
import { shownCharge } from '#lib/simulators/paystack/showing.ts';
import { goodCard } from '#lib/simulators/paystack/test-cards.ts';

type Way = Pick<Notes, 'card'> & Partial<Notes> & { readonly channel: string };
type Details = Readonly<Record<string, unknown>>;

const by = (channel: string, steps: readonly Step[], shown: Details = {}): Way => ({
  channel,
  card: goodCard(steps),
  shown,
});

const NO_WAY =
  'One of Authorization code, card object, bank object, ussd object, mobile money object, qr object, or EFT object should be passed.';

const WALLETS = ['mtn', 'atl', 'vod', 'tgo', 'mpesa', 'mpesa_offline', 'mptill', 'orange', 'wave'];
const USSD = ['737', '919', '822', '966'];

/**
 * Which details each bank wants, one after another: Zenith's documented test bank, and one that wants all there are.
 */
const BANKS: Readonly<Record<string, readonly Step[]>> = {
  '057': ['send_birthday', 'send_otp'],
  '999': ['send_pin', 'send_phone', 'send_birthday', 'send_address', 'send_otp'],
};

/** The object that says how the customer pays → what they must do for it. */
const WAYS: Readonly<Record<string, (details: Details, work: Work) => Way>> = {
  mobile_money: (details) => {
    const provider = need(details, 'provider');
    need(details, provider === 'mptill' ? 'account' : 'phone');
    if (!WALLETS.includes(provider)) throw invalid('Invalid provider passed for mobile money', 'invalid_provider');
    // Telecel's customers make a voucher code on their phone and bring it.
    if (provider === 'vod')
      return by('mobile_money', ['send_otp'], {
        display_text: 'Please dial *110# to generate a voucher code. Then input the voucher',
      });
    return by('mobile_money', ['pay_offline'], {
      display_text: 'Please complete authorization process on your mobile phone',
    });
  },
  ussd: (details) => {
    const type = need(details, 'type');
    if (!USSD.includes(type)) throw invalid('Invalid USSD type passed', 'invalid_ussd_type');
    return by('ussd', ['pay_offline'], {
      display_text: `Please dial *${type}*33*4*18791# on your mobile phone to complete the transaction`,
      ussd_code: `*${type}*33*4*18791#`,
    });
  },
  bank: (details) => {
    const steps = BANKS[need(details, 'code')];
    if (!steps) throw invalid('Bank is not supported for this payment', 'unsupported_bank');
    if (!/^\d{10}$/.test(need(details, 'account_number')))
      throw invalid('Invalid account number passed', 'invalid_account_number');
    return by('bank', steps, { display_text: 'Please enter what your bank asks for' });
  },
  bank_transfer: (details, work) => {
    const account_expires_at =
      textIn(details, 'account_expires_at') ?? new Date(work.now.getTime() + 30 * 60_000).toISOString();
    const bank = { slug: 'test-bank', name: 'Test Bank', id: 24 };
    return by('bank_transfer', ['pending_bank_transfer'], {
      account_name: 'PAYSTACK CHECKOUT',
      account_number: '1238259363',
      bank,
      account_expires_at,
    });
  },
  qr: (details) => {
    need(details, 'provider');
    return by('qr', ['pay_offline'], {
      display_text: 'Please scan the QR code with your bank app',
      qr_image: `${HERE}/paystack/qr.png`,
    });
  },
  eft: (details) => {
    need(details, 'provider');
    return by('eft', ['open_url']);
  },
};

function wayOf(input: Ask['input'], work: Work): Way {
  if (input.authorization_code !== undefined) return { card: cardIn(input, work), channel: 'card' };
  const name = Object.keys(WAYS).find((key) => input[key] !== undefined);
  const details = name === undefined ? undefined : input[name];
  const way = name === undefined ? undefined : WAYS[name];
  if (way && isObject(details)) return way(details, work);
  throw invalid(NO_WAY, 'missing_params');
}

/** A scenario decides at once; else the customer has the steps of this way to go, and only then it is tried. */
function create(ask: Ask, work: Work): Told {
  const stored = make(ask, work, wayOf(ask.input, work));
  const { behaviour, card } = stored.notes;
  const after =
    card.steps.length > 0 && !decides(behaviour) ? wait(work, stored, card.steps) : attempt(work, stored, behaviour);
  return { message: 'Charge attempted', data: shownCharge(after) };
}

type Given = {
  readonly step: Step;
  readonly names: readonly string[];
  readonly good: (text: string) => boolean;
  readonly bad: string;
};

const GIVEN: Readonly<Record<string, Given>> = {
  pin: { step: 'send_pin', names: ['pin'], good: (pin) => pin === '1111' || pin === '1234', bad: 'Incorrect PIN' },
  otp: {
    step: 'send_otp',
    names: ['otp'],
    good: (otp) => otp === '123456',
    bad: 'Token Not Generated. Customer Not Registered on Token Platform',
  },
  phone: { step: 'send_phone', names: ['phone'], good: () => true, bad: '' },
  birthday: {
    step: 'send_birthday',
    names: ['birthday'],
    good: (day) => /^\d{4}-\d\d-\d\d$/.test(day),
    bad: 'Invalid birthday',
  },
  address: { step: 'send_address', names: ['address', 'city', 'state', 'zip_code'], good: () => true, bad: '' },
};

const submit = (name: string) => (ask: Ask, work: Work) => {
  const { step, names, good, bad } = GIVEN[name] ?? { step: 'pending', names: [], good: () => false, bad: '' };
  const [value = ''] = names.map((field) => need(ask.input, field));
  const stored = needTransaction(work, need(ask.input, 'reference'));
  if (stored.notes.steps[0] !== step) throw refused(400, { message: 'Charge attempted', code: 'invalid_charge_state' });
  if (!ask.call.script) work.sendBy(stored.notes.webhook);
  return {
    message: 'Charge attempted',
    data: shownCharge(good(value) ? goOn(work, stored, ask) : fail(work, stored, bad)),
  };
};

/** The next step, or after the last one the try. What a scenario has in store for this call comes first. */
function goOn(work: Work, stored: StoredTransaction, { call }: Ask): StoredTransaction {
  const steps = stored.notes.steps.slice(1);
  const behaviour = call.script?.behaviour ?? null;
  const next = change(work, stored, {}, { shown: {} });
  return steps.length > 0 && !decides(behaviour)
    ? wait(work, next, steps)
    : attempt(work, next, decides(behaviour) ? behaviour : stored.notes.behaviour);
}

export const chargeRoutes = [
  api('POST', '/charge', 'create', create),
  ...Object.keys(GIVEN).map((name) => api('POST', `/charge/submit_${name}`, 'confirm', submit(name))),
  api('GET', '/charge/{id}', 'fetch', ({ id }, work) => {
    const stored = needTransaction(work, id);
    // Nothing was charged where a page waits for its first try.
    if (stored.body.status === 'abandoned')
      throw refused(400, { message: 'Transaction has not been attempted', code: 'no_charge_attempt' });
    return { message: 'Reference check successful', data: shownCharge(stored) };
  }),
];
