import { invalid } from '#lib/simulators/checkout/answers.ts';
import { newId } from '#lib/simulators/checkout/objects.ts';
import { knownDecline, type Verdict } from '#lib/simulators/checkout/response-codes.ts';
import { isObject } from '#lib/simulators/frame/json.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { declineAsked } from '#lib/simulators/frame/test-tokens.ts';

/** What is paid with. `redirects`: always to the bank; `enrolled`: where 3-D Secure is asked for. */
export type Source = {
  readonly shown: { readonly type: string; readonly [shown: string]: unknown };
  readonly redirects?: boolean;
  readonly enrolled?: boolean;
  readonly pending?: boolean;
  readonly decline?: Verdict;
};

export const card = (): Source => ({
  shown: {
    id: newId('src'),
    type: 'card',
    expiry_month: 8,
    expiry_year: 2099,
    scheme: 'Visa',
    last4: '4242',
    bin: '424242',
    card_type: 'CREDIT',
  },
});

const LOCAL: ReadonlySet<string> = new Set([
  'ideal',
  'bancontact',
  'eps',
  'knet',
  'p24',
  'sofort',
  'alipay_cn',
  'alipay_hk',
]);

export function sourceOf(value: unknown, work: Work): Source {
  if (!isObject(value)) throw invalid('payment_source_required');
  const { type } = value;
  if (type === 'token') return byToken(value.token, work);
  if (type === 'id') return byId(value.id);
  if (type === 'card') return byNumber(value.number);
  if (typeof type !== 'string' || !LOCAL.has(type)) throw invalid('source_type_invalid');
  if (type === 'ideal' && !/^[A-Za-z0-9 .-]{1,35}$/.test(String(value.description)))
    throw invalid('source_description_invalid');
  return { shown: { type }, redirects: true };
}

/** The words that every simulator of this host takes, for a token as for an instrument. */
function byWord(word: string): Source | undefined {
  if (word === 'ok') return card();
  if (word === 'needs_3ds') return { ...card(), enrolled: true };
  if (word === 'pending') return { ...card(), pending: true };
  const failure = declineAsked(word);
  const decline = failure && knownDecline(failure);
  return decline && { ...card(), decline };
}

/** Tokens of the browser's library pay once each. */
function byToken(token: unknown, work: Work): Source {
  if (typeof token !== 'string') throw invalid('token_required');
  const known = byWord(token);
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

function byId(id: unknown): Source {
  const known = typeof id === 'string' ? byWord(id) : undefined;
  if (known) return known;
  if (typeof id !== 'string' || !/^src_\w+$/.test(id)) throw invalid('source_id_invalid');
  const paid = card();
  return { ...paid, shown: { ...paid.shown, id } };
}

/** The one test card whose number is certain. */
function byNumber(number: unknown): Source {
  if (number !== '4242424242424242') throw invalid('card_number_invalid');
  return card();
}
