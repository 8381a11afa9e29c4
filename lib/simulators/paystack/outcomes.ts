import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import type { Notes, Step, StoredTransaction, Transaction } from '#lib/simulators/paystack/objects.ts';
import { shownTransaction } from '#lib/simulators/paystack/showing.ts';
import { reasonFor } from '#lib/simulators/paystack/test-cards.ts';

export function change(
  work: Work,
  stored: StoredTransaction,
  body: Partial<Transaction>,
  notes: Partial<Notes> = {},
): StoredTransaction {
  return work.objects.put({ ...stored, body: { ...stored.body, ...body }, notes: { ...stored.notes, ...notes } });
}

export const announce = (work: Work, event: string, data: () => object): void =>
  work.emit(() => JSON.stringify({ event, data: data() }));

/** The money is taken. `amount` differs from what was asked for where a scenario says so. */
export function succeed(work: Work, stored: StoredTransaction, amount = stored.body.amount): StoredTransaction {
  if (stored.body.status === 'success' || stored.body.status === 'reversed') return stored;
  const { reference, currency, attempts } = stored.body;
  const after = change(
    work,
    stored,
    {
      status: 'success',
      amount,
      gateway_response: 'Successful',
      message: null,
      paid_at: work.now.toISOString(),
      fees: Math.ceil(amount * 0.015),
      attempts: attempts + 1,
    },
    { steps: [], behaviour: null },
  );
  work.took({ id: reference, paymentId: stored.paymentId, amount, currency });
  announce(work, 'charge.success', () => shownTransaction(after));
  return after;
}

/** Of this Paystack sends no event. */
export function fail(work: Work, stored: StoredTransaction, reason: string): StoredTransaction {
  if (stored.body.status === 'success' || stored.body.status === 'reversed') return stored;
  return change(
    work,
    stored,
    { status: 'failed', gateway_response: reason, attempts: stored.body.attempts + 1 },
    { steps: [], behaviour: null },
  );
}

/** The customer is wanted, at the first of these steps. */
export function wait(work: Work, stored: StoredTransaction, steps: readonly Step[]): StoredTransaction {
  const status = steps[0] === 'pending' || steps[0] === 'pay_offline' ? 'pending' : 'ongoing';
  return change(work, stored, { status, gateway_response: 'The transaction was not completed' }, { steps });
}

const DECIDING: ReadonlySet<string> = new Set(['approve', 'decline', 'requires_action', 'pending', 'wrong_amount']);

/** Whether a scenario orders an outcome, and not only how it is told. */
export const decides = (behaviour: Behaviour | null): boolean => behaviour !== null && DECIDING.has(behaviour.kind);

/** What a scenario orders comes before what the card would do, and holds for this one try. */
export function attempt(work: Work, stored: StoredTransaction, behaviour: Behaviour | null): StoredTransaction {
  const { card } = stored.notes;
  const ready = { ...stored, notes: { ...stored.notes, behaviour: null } };
  if (behaviour?.kind === 'approve') return succeed(work, ready);
  if (behaviour?.kind === 'wrong_amount') return succeed(work, ready, stored.body.amount + 1);
  if (behaviour?.kind === 'decline') return fail(work, ready, reasonFor(behaviour.code));
  if (behaviour?.kind === 'requires_action') return wait(work, ready, ['open_url']);
  if (behaviour?.kind === 'pending' || card.pending) return wait(work, ready, ['pending']);
  return card.reason === null ? succeed(work, ready) : fail(work, ready, card.reason);
}
