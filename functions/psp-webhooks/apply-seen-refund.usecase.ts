import { couldNotAsk } from '#functions/psp-webhooks/could-not-ask.ts';
import type { VerifiedCallback } from '#functions/psp-webhooks/verified-callback.ts';
import type { Attempt, Payment, Refund } from '#shared/domain/payments/payment.model.ts';
import { adoptRefund, settleRefund } from '#shared/domain/payments/refund.machine.ts';
import { refundable } from '#shared/domain/payments/refundable.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { derivedId } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { SeenRefund } from '#shared/ports/psp.port.ts';
import { alarmIfOwed, sendRefund } from '#shared/services/payments/send-refund.service.ts';

/**
 * Applies a refund that the PSP reports: one of ours, one of ours whose reference we don't know yet, or one made at the
 * PSP itself. In a list ours carry our ids. `charge`: the charge it refunds, where the PSP names it.
 */
export async function applySeenRefund(
  callback: VerifiedCallback,
  seen: SeenRefund,
  charge: string | null,
  how: 'alone' | 'listed',
  deps: Deps,
): Promise<Payment> {
  const { connection } = callback;
  const { reference, ours } = seen;
  if (reference === null) return callback.payment;
  const named = ({ refunds }: Payment) => refunds.find((r) => r.psp_reference === reference || r.id === ours);
  const learnt =
    how === 'listed' || named(callback.payment)
      ? callback.payment
      : await learnReferences(callback, seen, reference, deps);
  const at = deps.clock.now();
  const settled = await deps.payments.change(learnt, (p) => {
    const known = named(p);
    if (known) return settleRefund(p, known.id, seen, at);
    const attempt = refundedAttempt(p, connection, charge);
    const id = derivedId('refund', at, p.id, reference);
    const { amount, currency } = seen;
    const adopted = attempt && adoptRefund(p, { id, amount, currency, reference, attempt_id: attempt.id }, at);
    return adopted && (settleRefund(adopted, id, seen, at) ?? adopted);
  });
  const refund = named(settled);
  if (refund && named(learnt)?.status !== 'failed') alarmIfOwed(settled, refund.id, deps);
  return settled;
}

/** The charge that was refunded; the first one there, where the PSP names none that we know. */
function refundedAttempt({ attempts }: Payment, { id }: Connection, charge: string | null): Attempt | undefined {
  const paid = attempts.filter((a) => a.connection_id === id && a.status === 'succeeded');
  return paid.find((a) => a.psp_reference === charge) ?? paid[0];
}

/**
 * While a refund of ours is being sent, its reference may still be unknown to us, so this one may be it; our call's
 * repeat brings the reference. Where no call will, a refund of the same amount is taken for ours: money counts once
 * either way.
 */
async function learnReferences(
  { payment, connection, deadline }: VerifiedCallback,
  { amount }: SeenRefund,
  reference: string,
  deps: Deps,
): Promise<Payment> {
  let current = payment;
  const nameless = (refund: Refund) =>
    refund.psp_reference === null && refund.status === 'pending' && isHere(payment, refund, connection);
  const isLearnt = () => current.refunds.some((r) => r.psp_reference === reference);
  for (const refund of payment.refunds.filter(nameless)) {
    if (isLearnt()) return current;
    current = await sendRefund(current, refund.id, deadline, deps);
  }
  const unsure = current.refunds.filter(nameless);
  if (unsure.length === 0 || isLearnt()) return current;
  const meant = unsure.find((r) => r.amount === amount);
  if (meant?.phase === 'unknown')
    return deps.payments.change(current, (p) =>
      settleRefund(p, meant.id, { kind: 'accepted', reference }, deps.clock.now()),
    );
  if (meant || amount > refundable(current)) throw couldNotAsk();
  return current;
}

const isHere = (payment: Payment, refund: Refund, { id }: Connection): boolean =>
  payment.attempts.some((a) => a.id === refund.attempt_id && a.connection_id === id);
