import { alarmIfOwed, sendRefund } from '#functions/payments/send-refund.usecase.ts';
import { couldNotAsk } from '#functions/psp-webhooks/could-not-ask.ts';
import type { VerifiedCallback } from '#functions/psp-webhooks/verified-callback.ts';
import type { Connection } from '#shared/domain/connection.model.ts';
import type { Attempt, Payment, Refund } from '#shared/domain/payment.model.ts';
import { adoptRefund, chargedAttempt, refundable, settleRefund } from '#shared/domain/refund.machine.ts';
import { derivedId } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { SeenRefund } from '#shared/ports/psp.port.ts';

/**
 * A refund as the PSP has it: one of ours, one of ours whose reference we have not heard yet, or one made at the PSP itself. In a list ours bear our ids.
 * `charge`: what it gives back of, where the PSP says so.
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
  const learnt = how === 'listed' || named(callback.payment) ? callback.payment : await learnReferences(callback, seen, reference, deps);
  const at = deps.clock.now();
  const settled = await deps.payments.change(learnt, (p) => {
    const known = named(p);
    if (known) return settleRefund(p, known.id, seen, at);
    const attempt = refundedAttempt(p, connection, charge);
    const id = derivedId('refund', at, p.id, reference);
    const adopted = attempt && adoptRefund(p, { id, amount: seen.amount, reference, attempt_id: attempt.id }, at);
    return adopted && (settleRefund(adopted, id, seen, at) ?? adopted);
  });
  const refund = named(settled);
  if (refund && named(learnt)?.status !== 'failed') alarmIfOwed(settled, refund.id, deps);
  return settled;
}

/** None, where it is of a second charge: that one's money is owed back anyway, and is none of what was paid. */
function refundedAttempt(payment: Payment, { id }: Connection, charge: string | null): Attempt | undefined {
  const paid = payment.attempts.filter((a) => a.connection_id === id && a.status === 'succeeded');
  const attempt = paid.find((a) => a.psp_reference === charge) ?? paid[0];
  const charged = chargedAttempt(payment);
  return charged && attempt?.id !== charged.id ? undefined : attempt;
}

/**
 * A refund of ours that is still being sent gets its reference by the same call again; only then is a stranger a stranger. Where
 * no call brings it any more, the one of this amount is taken for the one meant: money is counted once either way.
 */
async function learnReferences({ payment, connection, deadline }: VerifiedCallback, { amount }: SeenRefund, reference: string, deps: Deps): Promise<Payment> {
  let current = payment;
  const nameless = (refund: Refund) => refund.psp_reference === null && refund.status === 'pending' && isHere(payment, refund, connection);
  const isLearnt = () => current.refunds.some((r) => r.psp_reference === reference);
  for (const refund of payment.refunds.filter(nameless)) {
    if (isLearnt()) return current;
    current = await sendRefund(current, refund.id, deadline, deps);
  }
  const unsure = current.refunds.filter(nameless);
  if (unsure.length === 0 || isLearnt()) return current;
  const meant = unsure.find((r) => r.amount === amount);
  if (meant?.phase === 'unknown') return deps.payments.change(current, (p) => settleRefund(p, meant.id, { kind: 'accepted', reference }, deps.clock.now()));
  if (meant || amount > refundable(current)) throw couldNotAsk();
  return current;
}

const isHere = (payment: Payment, refund: Refund, { id }: Connection): boolean =>
  payment.attempts.some((a) => a.id === refund.attempt_id && a.connection_id === id);
