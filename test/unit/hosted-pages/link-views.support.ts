import type {
  AfterFailure,
  ErrorPage,
  LinkSummary,
  LinkView,
  Seller,
  StartForm,
} from '#functions/hosted-pages/views/link-view.model.ts';
import { declineOf, FAILURES, type FailureCode, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import type { Failure, NextAction } from '#shared/domain/payments/payment.model.ts';

const failureWith = (code: FailureCode): Failure => failureOf(declineOf(code, 'raw_code_of_the_provider'));

export const someFacts = (more: Partial<LinkSummary> = {}): LinkSummary => ({
  id: 'plink_01jqeh2s00e8x9v3k5t7w2m4np',
  merchant: 'Linden & Daughters',
  amount: 129_900,
  currency: 'EUR',
  description: 'Armchair, walnut, two pieces',
  mode: 'live',
  expires_at: null,
  ...more,
});

export const aForm = (more: Partial<StartForm> = {}, link: LinkSummary = someFacts()): LinkView => ({
  kind: 'form',
  link,
  form: { csrf: 'nonce.mac', methods: ['card'], country: 'omitted', email: 'omitted', values: {}, errors: [], ...more },
  notice: null,
});

export const anAction = (
  action: NextAction,
  more: { readonly refused?: boolean; readonly link?: LinkSummary } = {},
): LinkView => ({
  kind: 'action',
  link: someFacts(),
  csrf: 'nonce.mac',
  refused: false,
  ...more,
  action,
});

const aFullForm = aForm(
  {
    methods: ['card', 'ideal', 'bank_transfer', 'mobile_money', 'some_new_way'],
    country: 'required',
    email: 'optional',
  },
  someFacts({ mode: 'sandbox', expires_at: '2026-12-24T16:30:00.000Z' }),
);

const COLLECTED = (['otp', 'pin', 'phone', 'birthday', 'address'] as const).map(
  (field) => [`collect-${field}`, anAction({ type: 'collect', field })] as const,
);
const CLOSED = (['paid', 'completed', 'expired', 'inactive', 'busy', 'unavailable'] as const).map(
  (reason) =>
    [
      `closed-${reason}`,
      { kind: 'closed', link: someFacts({ expires_at: '2026-11-01T09:00:00.000Z' }), reason } as const,
    ] as const,
);

const PAYMENT_ID = 'pay_01jqeh2s00e8x9v3k5t7w2m4np';

/** All that an organization can tell its customers, without a logo: that is the only thing a page loads. */
export const aSeller: Seller = {
  legal_name: 'Linden & Daughters Furniture Ltd',
  support_email: 'help@linden.example',
  support_phone: '+44 20 7946 0000',
  website_url: 'https://linden.example/',
  logo_url: null,
};
const withSeller = someFacts({ seller: aSeller });

const aSuccess = (more: object = {}): LinkView => ({
  kind: 'succeeded',
  link: someFacts(),
  payment_id: PAYMENT_ID,
  paid_at: '2026-11-28T09:05:00.000Z',
  ...more,
});

const aFailure = (next: AfterFailure): LinkView => ({
  kind: 'failed',
  link: withSeller,
  failure: failureWith('authentication_failed'),
  method: 'card',
  next,
});

const aStop = (csrf: string | null, kind: 'stopped' | 'unconfirmed' = 'stopped'): LinkView => ({
  kind,
  link: someFacts(),
  action: { type: 'redirect', method: 'GET', url: 'https://pay.example/checkout' },
  csrf,
  checkUrl: `https://api.example/pay/return/${PAYMENT_ID}?t=token`,
});

/** Every state of a link's page, by name. */
export const VIEWS: ReadonlyMap<string, LinkView> = new Map<string, LinkView>([
  ['form', aForm()],
  ['form-full', aFullForm],
  [
    'form-errors',
    aForm({
      methods: ['card', 'ideal'],
      country: 'required',
      email: 'required',
      values: { method: 'ideal', email: 'nobody', country: 'XX' },
      errors: ['method', 'country', 'email'],
    }),
  ],
  [
    'form-declined',
    { ...aForm(), kind: 'form', notice: { kind: 'declined', failure: failureWith('insufficient_funds') } } as LinkView,
  ],
  ['form-canceled', { ...aForm(), kind: 'form', notice: { kind: 'canceled' } } as LinkView],
  ['form-stale', { ...aForm(), kind: 'form', notice: { kind: 'stale' } } as LinkView],
  ['redirect-get', anAction({ type: 'redirect', method: 'GET', url: 'https://pay.example/checkout?a=1&b=2' })],
  [
    'redirect-post',
    anAction({
      type: 'redirect',
      method: 'POST',
      url: 'https://bank.example:8443/3ds/start?x=1',
      fields: { PaReq: 'eJx+/=', MD: '"<&>\'' },
    }),
  ],
  ...COLLECTED,
  ['collect-refused', anAction({ type: 'collect', field: 'otp' }, { refused: true })],
  [
    'display',
    anAction({
      type: 'display',
      kind: 'pay_offline',
      account_number: '0123456789',
      bank_name: 'Wema Bank',
      account_expires_at: '2026-11-28T10:00:00.000Z',
      url: 'https://voucher.example/slip?id=1&x=2',
      strange_new_field: 17,
      absent: null,
    }),
  ],
  ['await', anAction({ type: 'await' })],
  ['sdk', anAction({ type: 'sdk', provider: 'adyen', data: { action: '{"inner":"inner-secret"}' } })],
  ['processing', { kind: 'processing', link: someFacts() }],
  ['succeeded', aSuccess()],
  ['succeeded-with-seller', aSuccess({ link: withSeller })],
  ['succeeded-partly-refunded', aSuccess({ refunded: 29_900 })],
  ['refunded', { kind: 'refunded', link: someFacts(), payment_id: PAYMENT_ID }],
  ['review', { kind: 'review', link: someFacts() }],
  ['canceled', { kind: 'canceled', link: withSeller }],
  ['unfinished', { kind: 'unfinished', link: someFacts() }],
  ['stopped', aStop('nonce.mac')],
  ['stopped-without-link', aStop(null)],
  ['unconfirmed', aStop('nonce.mac', 'unconfirmed')],
  ['unconfirmed-without-link', aStop(null, 'unconfirmed')],
  ['overpaid', { kind: 'overpaid', link: someFacts() }],
  ['failed', { kind: 'failed', link: someFacts(), failure: failureWith('expired_card') }],
  ['failed-unexplained', { kind: 'failed', link: someFacts(), failure: null }],
  ['failed-again', aFailure({ kind: 'again', csrf: 'mac' })],
  ['failed-shop', aFailure({ kind: 'shop' })],
  ['failed-invoice', aFailure({ kind: 'invoice' })],
  ...CLOSED,
]);

export const ERRORS: readonly ErrorPage[] = [
  ...([400, 403, 404, 413, 500] as const).map((status) => ({ status })),
  { status: 429, retryAfter: 540 },
];

export const FAILURE_CODES = Object.keys(FAILURES) as readonly FailureCode[];

/** The first group of every match. */
export const all = (pattern: RegExp, text: string): string[] =>
  [...text.matchAll(pattern)].map(([, first = '']) => first);
