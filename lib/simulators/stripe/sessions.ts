import { following } from '#lib/simulators/frame/following.ts';
import { letters } from '#lib/simulators/frame/letters.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { type Ask, api } from '#lib/simulators/stripe/ask.ts';
import { impossible, invalid, missing } from '#lib/simulators/stripe/errors.ts';
import { findSession } from '#lib/simulators/stripe/find.ts';
import { type Form, formAt, integerAt, metadataOf, textAt } from '#lib/simulators/stripe/form.ts';
import { checkMoney } from '#lib/simulators/stripe/money.ts';
import { newSession } from '#lib/simulators/stripe/new-session.ts';
import { type Session, seconds } from '#lib/simulators/stripe/objects.ts';
import { expireSession } from '#lib/simulators/stripe/session-outcomes.ts';
import { total } from '#lib/simulators/stripe/session-total.ts';
import { CREATE_SESSION, EXPAND_ONLY } from '#lib/simulators/stripe/shapes.ts';

const HALF_AN_HOUR = 30 * 60;
const A_DAY = 24 * 60 * 60;
/** Stripe forgives clocks that differ a little from its own. */
const GRACE = 60;

function expiryOf(input: Form, now: number): number {
  const given = integerAt(input, 'expires_at') ?? now + A_DAY;
  if (given < now + HALF_AN_HOUR - GRACE)
    throw invalid('The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.', {
      param: 'expires_at',
    });
  if (given > now + A_DAY + GRACE)
    throw invalid('The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.', {
      param: 'expires_at',
    });
  return given;
}

function checkSession(input: Form): void {
  if (textAt(input, 'mode') !== 'payment')
    throw invalid('This simulator knows sessions in `payment` mode only.', { param: 'mode' });
  if ((textAt(input, 'ui_mode') ?? 'hosted_page') !== 'hosted_page')
    throw invalid('This simulator knows hosted pages only.', { param: 'ui_mode' });
  for (const name of ['success_url', 'cancel_url']) {
    const url = textAt(input, name);
    if (url !== null && !/^https?:\/\/\S+$/.test(url))
      throw invalid('Not a valid URL', { param: name, code: 'url_invalid' });
  }
  if (textAt(input, 'success_url') === null) throw missing('success_url');
}

function create({ input, call, livemode }: Ask, work: Work): Session {
  checkSession(input);
  const { amount, currency } = total(input);
  checkMoney(amount, currency, 'line_items[0][price_data][unit_amount]');
  const now = seconds(work.now);
  const expires_at = expiryOf(input, now);
  const id = `cs_${livemode ? 'live' : 'test'}_${letters(58)}`;
  const given = formAt(input, 'payment_intent_data');
  const body = newSession(input, { id, amount, currency, livemode, now, expires_at });
  const paymentId = metadataOf(given).payment_id ?? metadataOf(input).payment_id ?? null;
  const { behaviour, webhook } = following(call.script);
  const notes = { behaviour, webhook, intent: given };
  work.objects.put({
    id,
    account: work.account,
    kind: 'checkout.session',
    paymentId,
    parent: null,
    due: expires_at * 1_000,
    body,
    notes,
  });
  return body;
}

function expire({ id }: Ask, work: Work): Session {
  const session = findSession(work, id);
  if (session.body.status !== 'open') {
    throw impossible(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.body.status}\`.`,
    );
  }
  return expireSession(work, session).body;
}

export const sessionRoutes = [
  api('POST', '/v1/checkout/sessions', 'create', {
    shows: 'checkout.session',
    shape: CREATE_SESSION,
    required: ['mode', 'line_items'],
    takesTypes: true,
    run: create,
  }),
  api('GET', '/v1/checkout/sessions/{id}', 'fetch', {
    shows: 'checkout.session',
    shape: EXPAND_ONLY,
    run: ({ id }, work) => findSession(work, id).body,
  }),
  api('POST', '/v1/checkout/sessions/{id}/expire', 'cancel', {
    shows: 'checkout.session',
    shape: EXPAND_ONLY,
    run: expire,
  }),
];
