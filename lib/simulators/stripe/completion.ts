import { choose } from '#lib/simulators/frame/choosing.ts';
import { withoutQuestions } from '#lib/simulators/frame/following.ts';
import type { Stored } from '#lib/simulators/frame/object-store.ts';
import type { Ending, Work } from '#lib/simulators/frame/provider.port.ts';
import { attempt } from '#lib/simulators/stripe/attempt.ts';
import { declineFor } from '#lib/simulators/stripe/declines.ts';
import {
  isCharge,
  isIntent,
  isRefund,
  isSession,
  newStripeId,
  type StoredIntent,
  type StoredSession,
} from '#lib/simulators/stripe/objects.ts';
import { changeIntent, fail, failAuthentication, succeed } from '#lib/simulators/stripe/outcomes.ts';
import { completeRefund, failRefund } from '#lib/simulators/stripe/refund-outcomes.ts';
import {
  expireSession,
  followIntent,
  intentForPaying,
  intentOf,
  paySession,
  sessionOf,
} from '#lib/simulators/stripe/session-outcomes.ts';

/**
 * An act of the customer or the bank: applied to the newest object that waits for one; else to a pending refund; else
 * to the newest try. A succeeded refund can still fail.
 */
export function complete(candidates: readonly Stored[], outcome: Ending, work: Work): void {
  const target = choose(
    candidates,
    (stored) =>
      (isSession(stored) && stored.body.status === 'open') ||
      (isIntent(stored) && ['requires_action', 'processing'].includes(stored.body.status)),
    (stored) => isRefund(stored) && stored.body.status === 'pending',
    (stored) => isSession(stored) || isIntent(stored),
  );
  if (!target) return;
  if (isRefund(target)) {
    work.sendBy(target.notes.webhook);
    if (outcome === 'succeeded') completeRefund(work, target);
    else failRefund(work, target);
  } else if (isSession(target)) {
    settleSession(work, target, outcome);
  } else if (isIntent(target)) {
    settleIntent(work, target, outcome);
  } else if (isCharge(target)) {
    const intent = work.objects.get(target.body.payment_intent ?? '');
    if (intent && isIntent(intent)) settleIntent(work, intent, outcome);
  }
}

/** Money also moves after a cancel or decline: the customer was quicker, or the bank changed its mind. */
export function settleIntent(work: Work, intent: StoredIntent, outcome: Ending): StoredIntent {
  work.sendBy(intent.notes.webhook);
  const after = outcome === 'succeeded' ? succeeded(work, intent) : failed(work, intent);
  const session = sessionOf(work, after);
  if (session) followIntent(work, session, after);
  return after;
}

function succeeded(work: Work, intent: StoredIntent): StoredIntent {
  const { status } = intent.body;
  if (status === 'succeeded' || status === 'requires_capture') return intent;
  if (status === 'requires_action')
    return attempt(work, intent, { behaviour: intent.notes.behaviour, presence: 'present', authenticated: true })
      .intent;
  return succeed(work, changeIntent(work, intent, { payment_method: intent.body.payment_method ?? newStripeId('pm') }));
}

function failed(work: Work, intent: StoredIntent): StoredIntent {
  if (intent.body.status === 'requires_action') return failAuthentication(work, intent);
  if (intent.body.status === 'processing') return fail(work, intent, declineFor('card_declined')).intent;
  return intent;
}

function settleSession(work: Work, session: StoredSession, outcome: Ending): void {
  work.sendBy(session.notes.webhook);
  const intent = intentOf(work, session);
  const { status } = session.body;
  if (status === 'open' && outcome === 'failed') expireSession(work, session);
  else if (intent && (status === 'complete' || intent.body.status === 'requires_action'))
    settleIntent(work, intent, outcome);
  else if (status === 'open') paySession(work, session, withoutQuestions(session.notes.behaviour));
  else if (status === 'expired' && outcome === 'succeeded')
    followIntent(work, session, succeeded(work, intentForPaying(work, session)));
}
