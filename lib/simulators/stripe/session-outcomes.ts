import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { HERE } from '#lib/simulators/frame/wire.ts';
import { attempt } from '#lib/simulators/stripe/attempt.ts';
import { announce } from '#lib/simulators/stripe/events.ts';
import { newIntent } from '#lib/simulators/stripe/new-intent.ts';
import {
  isIntent,
  isSession,
  newStripeId,
  type Session,
  type SessionNotes,
  type StoredIntent,
  type StoredSession,
} from '#lib/simulators/stripe/objects.ts';
import { cancel } from '#lib/simulators/stripe/outcomes.ts';
import { testMethod } from '#lib/simulators/stripe/test-methods.ts';

function changeSession(
  work: Work,
  session: StoredSession,
  change: Partial<Session>,
  notes: Partial<SessionNotes> = {},
): StoredSession {
  const body = { ...session.body, ...change };
  return work.objects.put({
    ...session,
    body,
    notes: { ...session.notes, ...notes },
    due: body.status === 'open' ? session.due : null,
  });
}

export function intentOf(work: Work, { body }: StoredSession): StoredIntent | undefined {
  const intent = body.payment_intent === null ? undefined : work.objects.get(body.payment_intent);
  return intent && isIntent(intent) ? intent : undefined;
}

export function sessionOf(work: Work, { parent }: StoredIntent): StoredSession | undefined {
  const session = parent === null ? undefined : work.objects.get(parent);
  return session && isSession(session) ? session : undefined;
}

/** The payment intent of a session is made only when the customer first pays. What comes of the try keeps it. */
export function intentForPaying(work: Work, session: StoredSession): StoredIntent {
  const { body, notes } = session;
  const known = intentOf(work, session);
  const method = known?.notes.method ?? testMethod('pm_card_visa') ?? null;
  if (known)
    return { ...known, body: { ...known.body, payment_method: newStripeId('pm') }, notes: { ...known.notes, method } };
  const { amount_total: amount, currency, livemode } = body;
  const paying = { behaviour: null, webhook: notes.webhook, returnUrl: `${HERE}/stripe/pay/${session.id}`, method };
  const intent = newIntent(work, notes.intent, { amount, currency, livemode, parent: session.id, notes: paying });
  return { ...intent, paymentId: session.paymentId };
}

/** The customer pays at the page. What a scenario left for the payment applies to this try, and only to this one. */
export function paySession(work: Work, session: StoredSession, behaviour: Behaviour | null): StoredIntent {
  const intent = intentForPaying(work, session);
  const ready = changeSession(work, session, { payment_intent: intent.id }, { behaviour: null });
  const { intent: after } = attempt(work, intent, { behaviour, presence: 'present' });
  followIntent(work, ready, after);
  return after;
}

/** Brings the session to where its payment is. A declined try leaves it open. */
export function followIntent(work: Work, session: StoredSession, { body: { status, id } }: StoredIntent): void {
  const settled = status === 'succeeded' || status === 'requires_capture';
  const paid: Partial<Session> = { payment_intent: id, payment_status: status === 'succeeded' ? 'paid' : 'unpaid' };
  const wasComplete = session.body.status === 'complete';
  if (wasComplete && session.body.payment_status === 'paid') return;
  if (wasComplete && settled)
    announce(work, 'checkout.session.async_payment_succeeded', changeSession(work, session, paid).body);
  else if (wasComplete && status === 'requires_payment_method')
    announce(work, 'checkout.session.async_payment_failed', session.body);
  else if (settled || status === 'processing') {
    announce(
      work,
      'checkout.session.completed',
      changeSession(work, session, { ...paid, status: 'complete', url: null }).body,
    );
  }
}

/** The page closes, and with it an unfinished payment. */
export function expireSession(work: Work, session: StoredSession): StoredSession {
  const intent = intentOf(work, session);
  if (intent && ['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.body.status))
    cancel(work, intent, 'automatic');
  const after = changeSession(work, session, { status: 'expired', url: null });
  announce(work, 'checkout.session.expired', after.body);
  return after;
}
