import type { PspOutcome } from '#shared/ports/psp.port.ts';
import type { ChargePurpose } from '#shared/psp/kit/purpose.ts';
import { refusal, type StripeAnswer } from '#shared/psp/stripe/error.rules.ts';
import { readIntent, readSession, toOutcome } from '#shared/psp/stripe/mapping.rules.ts';
import { ask, type StripeContext } from '#shared/psp/stripe/stripe.client.ts';
import {
  fetchIntent,
  fetchSession,
  intentPath,
  sessionOutcome,
  sessionPath,
} from '#shared/psp/stripe/stripe.lookups.ts';

/**
 * Both calls are repeatable, and carry no idempotency key: it would return an earlier "not now" for a day. If Stripe
 * can't cancel any more, its status is the answer, without a capture.
 */
export async function cancelIntent(reference: string, purpose: ChargePurpose, psp: StripeContext): Promise<PspOutcome> {
  const answer = await ask({ ...purpose, path: `${intentPath(reference)}/cancel`, params: {} }, psp);
  if (answer.ok) return toOutcome(readIntent(answer.body));
  throwUnlessState(answer);
  return toOutcome(await fetchIntent(reference, purpose, psp), psp.credentials.publishable_key);
}

/** An expired page takes no money any more, as requested. */
export async function expireSession(
  reference: string,
  purpose: ChargePurpose,
  psp: StripeContext,
): Promise<PspOutcome> {
  const answer = await ask({ ...purpose, path: `${sessionPath(reference)}/expire`, params: {} }, psp);
  if (!answer.ok) throwUnlessState(answer);
  const session = answer.ok ? readSession(answer.body) : await fetchSession(reference, purpose, psp);
  const outcome = await sessionOutcome(session, purpose, psp);
  return session.status === 'expired' && outcome.kind === 'declined' ? { kind: 'canceled', reference } : outcome;
}

/** A 400 means that it is too late; anything else is about us. */
function throwUnlessState(answer: Extract<StripeAnswer, { ok: false }>): void {
  if (answer.status !== 400) throw refusal(answer.status, answer.fault);
}
