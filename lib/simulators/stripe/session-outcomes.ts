import { type Behaviour, withoutAuthentication } from '#lib/simulators/kit/behaviour.ts';
import type { FinalOutcome, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { BASE_URL } from '#lib/simulators/kit/wire.ts';
import { newCustomer } from '#lib/simulators/stripe/customers.ts';
import { declineFor } from '#lib/simulators/stripe/declines.ts';
import { announce } from '#lib/simulators/stripe/events.ts';
import {
  isIntent,
  isSession,
  newIntent,
  newStripeId,
  type Session,
  type SessionNotes,
  type StoredIntent,
  type StoredSession,
} from '#lib/simulators/stripe/objects.ts';
import {
  attemptPayment,
  cancel,
  changeIntent,
  fail,
  failAuthentication,
  succeed,
} from '#lib/simulators/stripe/outcomes.ts';
import { testMethod } from '#lib/simulators/stripe/test-methods.ts';

function changeSession(
  work: UnitOfWork,
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

function intentOf(work: UnitOfWork, { body }: StoredSession): StoredIntent | undefined {
  const intent = body.payment_intent === null ? undefined : work.objects.get(body.payment_intent);
  return intent && isIntent(intent) ? intent : undefined;
}

export function sessionOf(work: UnitOfWork, { parent }: StoredIntent): StoredSession | undefined {
  const session = parent === null ? undefined : work.objects.get(parent);
  return session && isSession(session) ? session : undefined;
}

/** The payment intent of a session is created at the first attempt. The outcome of the attempt stores it. */
function intentForPaying(work: UnitOfWork, session: StoredSession): StoredIntent {
  const { body, notes } = session;
  const existing = intentOf(work, session);
  const method = existing?.notes.method ?? testMethod('pm_card_visa') ?? null;
  if (existing)
    return {
      ...existing,
      body: { ...existing.body, payment_method: newStripeId('pm') },
      notes: { ...existing.notes, method },
    };
  const { amount_total: amount, currency, livemode } = body;
  const intentNotes = {
    behaviour: null,
    webhook: notes.webhook,
    returnUrl: `${BASE_URL}/stripe/pay/${session.id}`,
    method,
  };
  const input = body.customer_creation === 'always' ? withCustomer(work, session) : notes.intent;
  const intent = newIntent(work, input, { amount, currency, livemode, parent: session.id, notes: intentNotes });
  announce(work, 'payment_intent.created', intent.body);
  return { ...intent, paymentId: session.paymentId };
}

/** The page makes a customer of whoever pays on it. */
const withCustomer = (work: UnitOfWork, { body, notes }: StoredSession): SessionNotes['intent'] => ({
  ...notes.intent,
  customer: newCustomer(work, { email: String(body.customer_email ?? 'customer@example.com') }, body.livemode).id,
});

/** One attempt of the customer on the page. The scenario of the session applies to this attempt only. */
export function paySession(work: UnitOfWork, session: StoredSession, behaviour: Behaviour | null): StoredIntent {
  const intent = intentForPaying(work, session);
  const ready = changeSession(work, session, { payment_intent: intent.id }, { behaviour: null });
  const { intent: after } = attemptPayment(work, intent, { behaviour, presence: 'present' });
  syncSession(work, ready, after);
  return after;
}

/** Updates the session to the state of its payment. A declined attempt leaves it open. */
function syncSession(work: UnitOfWork, session: StoredSession, { body: { status, id, customer } }: StoredIntent): void {
  const settled = status === 'succeeded' || status === 'requires_capture';
  const payment_status = status === 'succeeded' ? 'paid' : 'unpaid';
  const paid: Partial<Session> = { payment_intent: id, customer, payment_status };
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

/** Closes the page and cancels an unfinished payment. */
export function expireSession(work: UnitOfWork, session: StoredSession): StoredSession {
  const intent = intentOf(work, session);
  if (intent && ['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.body.status))
    cancel(work, intent, 'automatic');
  const after = changeSession(work, session, { status: 'expired', url: null });
  announce(work, 'checkout.session.expired', after.body);
  return after;
}

/** A payment may still succeed after it ended: the customer was faster, or the bank approved late. */
export function settleIntent(work: UnitOfWork, intent: StoredIntent, outcome: FinalOutcome): StoredIntent {
  work.setWebhookMode(intent.notes.webhook);
  const after = outcome === 'succeeded' ? afterSuccess(work, intent) : afterFailure(work, intent);
  const session = sessionOf(work, after);
  if (session) syncSession(work, session, after);
  return after;
}

function afterSuccess(work: UnitOfWork, intent: StoredIntent): StoredIntent {
  const { status } = intent.body;
  if (status === 'succeeded' || status === 'requires_capture' || work.wasReleased(intent.id)) return intent;
  if (status === 'requires_action')
    return attemptPayment(work, intent, { behaviour: intent.notes.behaviour, presence: 'present', authenticated: true })
      .intent;
  return succeed(work, changeIntent(work, intent, { payment_method: intent.body.payment_method ?? newStripeId('pm') }));
}

function afterFailure(work: UnitOfWork, intent: StoredIntent): StoredIntent {
  if (intent.body.status === 'requires_action') return failAuthentication(work, intent);
  if (intent.body.status === 'processing') return fail(work, intent, declineFor('card_declined')).intent;
  return intent;
}

export function settleSession(work: UnitOfWork, session: StoredSession, outcome: FinalOutcome): void {
  work.setWebhookMode(session.notes.webhook);
  const intent = intentOf(work, session);
  const { status } = session.body;
  if (status === 'open' && outcome === 'failed') expireSession(work, session);
  else if (intent && (status === 'complete' || intent.body.status === 'requires_action'))
    settleIntent(work, intent, outcome);
  else if (status === 'open') paySession(work, session, withoutAuthentication(session.notes.behaviour));
  else if (status === 'expired' && outcome === 'succeeded')
    syncSession(work, session, afterSuccess(work, intentForPaying(work, session)));
}
