import type { PspOutcome } from '#shared/ports/psp.port.ts';
import { refusal, type StripeAnswer } from '#shared/psp/stripe/error.rules.ts';
import { readIntent, readSession, toOutcome } from '#shared/psp/stripe/mapping.rules.ts';
import { ask, type Purpose, type StripeContext } from '#shared/psp/stripe/stripe.client.ts';
import { fetchIntent, fetchSession, intentPath, sessionOutcome, sessionPath } from '#shared/psp/stripe/stripe.lookups.ts';

/**
 * Both calls may be repeated as they are, and carry no idempotency key: it would bring back an earlier "not now" for a
 * day. Where Stripe can't cancel any more, what it then has is the answer, and is not captured on the way.
 */
export async function cancelIntent(reference: string, purpose: Purpose, psp: StripeContext): Promise<PspOutcome> {
  const answer = await ask({ ...purpose, path: `${intentPath(reference)}/cancel`, params: {} }, psp);
  if (answer.ok) return toOutcome(readIntent(answer.body));
  throwUnlessState(answer);
  return toOutcome(await fetchIntent(reference, purpose, psp), psp.credentials.publishable_key);
}

/** An expired page takes no money any more, which is what was asked for. */
export async function expireSession(reference: string, purpose: Purpose, psp: StripeContext): Promise<PspOutcome> {
  const answer = await ask({ ...purpose, path: `${sessionPath(reference)}/expire`, params: {} }, psp);
  if (!answer.ok) throwUnlessState(answer);
  const session = answer.ok ? readSession(answer.body) : await fetchSession(reference, purpose, psp);
  const outcome = await sessionOutcome(session, purpose, psp);
  return session.status === 'expired' && outcome.kind === 'declined' ? { kind: 'canceled', reference } : outcome;
}

/** A 400 is Stripe's way to say that it is too late; anything else is about us. */
function throwUnlessState(answer: Extract<StripeAnswer, { ok: false }>): void {
  if (answer.status !== 400) throw refusal(answer.status, answer.fault);
}
