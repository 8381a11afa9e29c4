import type { ErrorPage, LinkSummary, LinkView, StartForm } from '#functions/hosted-pages/views/link-view.model.ts';
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
const CLOSED = (['paid', 'completed', 'expired', 'inactive', 'busy'] as const).map(
  (reason) =>
    [
      `closed-${reason}`,
      { kind: 'closed', link: someFacts({ expires_at: '2026-11-01T09:00:00.000Z' }), reason } as const,
    ] as const,
);

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
  [
    'succeeded',
    {
      kind: 'succeeded',
      link: someFacts(),
      payment_id: 'pay_01jqeh2s00e8x9v3k5t7w2m4np',
      paid_at: '2026-11-28T09:05:00.000Z',
    },
  ],
  ['overpaid', { kind: 'overpaid', link: someFacts() }],
  ['failed', { kind: 'failed', link: someFacts(), failure: failureWith('expired_card') }],
  ['failed-unexplained', { kind: 'failed', link: someFacts(), failure: null }],
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
