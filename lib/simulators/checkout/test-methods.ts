import { authenticationIn, knownDecline, type Refusal, refusalIn } from '#lib/simulators/checkout/declines.ts';
import { invalid } from '#lib/simulators/checkout/errors.ts';
import { newId } from '#lib/simulators/checkout/objects.ts';
import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import { declineCodeIn } from '#lib/simulators/kit/behaviour.ts';
import { isObject } from '#lib/simulators/kit/json.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';

/** A payment source. `redirects`: always to the bank. `enrolled`: only if the request wants 3-D Secure. */
export type TestSource = {
  readonly responseSource: { readonly type: string; readonly [field: string]: unknown };
  readonly redirects?: boolean;
  readonly enrolled?: boolean;
  readonly pending?: boolean;
  readonly decline?: Refusal;
  /** How its 3-D Secure ends. */
  readonly authentication?: string;
};

export const card = (): TestSource => ({
  responseSource: {
    id: newId('src'),
    type: 'card',
    expiry_month: 8,
    expiry_year: 2099,
    scheme: 'Visa',
    last4: '4242',
    bin: '424242',
    card_type: 'CREDIT',
    issuer_country: 'GB',
    avs_check: 'S',
    cvv_check: 'Y',
  },
});

const REDIRECT_METHODS: ReadonlySet<string> = new Set([
  'ideal',
  'bancontact',
  'eps',
  'knet',
  'p24',
  'sofort',
  'alipay_cn',
  'alipay_hk',
]);

export function sourceOf(value: unknown, work: UnitOfWork): TestSource {
  if (!isObject(value)) throw invalid('payment_source_required');
  const { type } = value;
  if (type === 'token') return byToken(value.token, work);
  if (type === 'id') return byId(value.id, work);
  if (type === 'card') return byNumber(value.number);
  if (typeof type !== 'string' || !REDIRECT_METHODS.has(type)) throw invalid('source_type_invalid');
  if (type === 'ideal' && !/^[A-Za-z0-9 .-]{1,35}$/.test(String(value.description)))
    throw invalid('source_description_invalid');
  return { responseSource: { type }, redirects: true };
}

/** The test tokens, which stand for a token as well as for an instrument's id. */
function testToken(token: string): TestSource | undefined {
  if (token === 'ok') return card();
  if (token === 'needs_3ds') return { ...card(), enrolled: true };
  if (token === 'pending') return { ...card(), pending: true };
  const authentication = authenticationIn(token);
  if (authentication) return { ...card(), enrolled: true, authentication };
  const failure = declineCodeIn(token);
  const known = failure && knownDecline(failure);
  const decline = known ? { result: known } : refusalIn(token);
  return decline && { ...card(), decline };
}

/** A token from the browser's library can be used once. */
function byToken(token: unknown, work: UnitOfWork): TestSource {
  if (typeof token !== 'string') throw invalid('token_required');
  const known = testToken(token);
  if (known) return known;
  if (!/^tok_\w+$/.test(token)) throw invalid('token_invalid');
  const id = `used ${work.account} ${token}`;
  if (work.objects.get(id)) throw invalid('token_used');
  work.objects.put({
    id,
    account: work.account,
    kind: 'used',
    paymentId: null,
    parent: null,
    due: null,
    body: null,
    notes: null,
  });
  return card();
}

type Instrument = StoredObject<TestSource>;
const isInstrument = (stored: StoredObject): stored is Instrument => stored.kind === 'instrument';

/** Keeps the card of an approved payment. It behaves as it did then. */
export function keepInstrument(work: UnitOfWork, source: TestSource): void {
  const { id, type } = source.responseSource;
  if (type !== 'card' || typeof id !== 'string') return;
  work.objects.put({
    id,
    account: work.account,
    kind: 'instrument',
    paymentId: null,
    parent: null,
    due: null,
    body: source,
    notes: null,
  });
}

function byId(id: unknown, work: UnitOfWork): TestSource {
  const kept = typeof id === 'string' ? findOwned(work, id, isInstrument) : undefined;
  if (kept) return kept.body;
  const known = typeof id === 'string' ? testToken(id) : undefined;
  if (known) return known;
  if (typeof id !== 'string' || !/^src_\w+$/.test(id)) throw invalid('source_id_invalid');
  const saved = card();
  return { ...saved, responseSource: { ...saved.responseSource, id } };
}

/** The only test card with a documented number. */
function byNumber(number: unknown): TestSource {
  if (number !== '4242424242424242') throw invalid('card_number_invalid');
  return card();
}
