import type { Behaviour } from '#lib/simulators/kit/behaviour.ts';
import type { FinalOutcome, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { reasonFor } from '#lib/simulators/paystack/declines.ts';
import { announce } from '#lib/simulators/paystack/events.ts';
import {
  type ChargeStep,
  type StoredTransaction,
  type Transaction,
  type TransactionNotes,
  transactionView,
} from '#lib/simulators/paystack/objects.ts';

export function changeTransaction(
  work: UnitOfWork,
  stored: StoredTransaction,
  body: Partial<Transaction>,
  notes: Partial<TransactionNotes> = {},
): StoredTransaction {
  return work.objects.put({ ...stored, body: { ...stored.body, ...body }, notes: { ...stored.notes, ...notes } });
}

const feeOf = (amount: number): number => Math.ceil(amount * 0.015);

/** Takes the money. `excess` is what a scenario wants to be wrong. A fee on top is the customer's, and not wrong. */
export function succeed(work: UnitOfWork, stored: StoredTransaction, excess = 0): StoredTransaction {
  if (stored.body.status === 'success' || stored.body.status === 'reversed') return stored;
  const { reference, currency, attempts, requested_amount: requested } = stored.body;
  const fees = feeOf(requested);
  const amount = requested + (stored.notes.feeOnTop ? fees : 0) + excess;
  const after = changeTransaction(
    work,
    stored,
    {
      status: 'success',
      amount,
      gateway_response: 'Successful',
      message: null,
      paid_at: work.now.toISOString(),
      fees,
      attempts: attempts + 1,
    },
    { steps: [], behaviour: null },
  );
  work.recordCharge({ id: reference, paymentId: stored.paymentId, amount, currency });
  announce(work, 'charge.success', () => transactionView(after));
  return after;
}

/** Paystack sends no event for a failed charge. */
export function fail(work: UnitOfWork, stored: StoredTransaction, reason: string): StoredTransaction {
  if (stored.body.status === 'success' || stored.body.status === 'reversed') return stored;
  return changeTransaction(
    work,
    stored,
    { status: 'failed', gateway_response: reason, attempts: stored.body.attempts + 1 },
    { steps: [], behaviour: null },
  );
}

/** Waits for the customer to do the first of these steps. */
export function waitForCustomer(
  work: UnitOfWork,
  stored: StoredTransaction,
  steps: readonly ChargeStep[],
): StoredTransaction {
  const status = steps[0] === 'pending' || steps[0] === 'pay_offline' ? 'pending' : 'ongoing';
  return changeTransaction(work, stored, { status, gateway_response: 'The transaction was not completed' }, { steps });
}

const DECIDING_BEHAVIOURS: ReadonlySet<string> = new Set([
  'approve',
  'decline',
  'requires_action',
  'pending',
  'wrong_amount',
]);

/** Whether a scenario sets the outcome of the charge, not only its delivery. */
export const decidesOutcome = (behaviour: Behaviour | null): boolean =>
  behaviour !== null && DECIDING_BEHAVIOURS.has(behaviour.kind);

/** One attempt to charge. A scenario overrides the behaviour of the card, for this attempt only. */
export function attemptCharge(
  work: UnitOfWork,
  stored: StoredTransaction,
  behaviour: Behaviour | null,
): StoredTransaction {
  const { card } = stored.notes;
  const ready = { ...stored, notes: { ...stored.notes, behaviour: null } };
  if (behaviour?.kind === 'approve') return succeed(work, ready);
  if (behaviour?.kind === 'wrong_amount') return succeed(work, ready, 1);
  if (behaviour?.kind === 'decline') return fail(work, ready, reasonFor(behaviour.code));
  if (behaviour?.kind === 'requires_action') return waitForCustomer(work, ready, ['open_url']);
  if (behaviour?.kind === 'pending' || card.pending) return waitForCustomer(work, ready, ['pending']);
  return card.reason === null ? succeed(work, ready) : fail(work, ready, card.reason);
}

export const isUndecided = ({ body }: StoredTransaction): boolean =>
  body.status === 'abandoned' || body.status === 'ongoing' || body.status === 'pending';

/** What a bank says of a charge that it has not decided, though Paystack calls it failed. */
const NOT_DECIDED = /pending|in progress/i;

function failInTheEnd(work: UnitOfWork, transaction: StoredTransaction): StoredTransaction {
  if (isUndecided(transaction)) return fail(work, transaction, 'The transaction was not completed');
  return NOT_DECIDED.test(transaction.body.gateway_response) ? fail(work, transaction, 'Declined') : transaction;
}

/** A completion includes the customer's steps. A payment may still succeed after it failed: the bank approved late. */
export function settleTransaction(
  work: UnitOfWork,
  transaction: StoredTransaction,
  outcome: FinalOutcome,
): StoredTransaction {
  work.setWebhookMode(transaction.notes.webhook);
  if (outcome === 'failed') return failInTheEnd(work, transaction);
  const { behaviour } = transaction.notes;
  const override = behaviour?.kind === 'wrong_amount' || behaviour?.kind === 'decline' ? behaviour : null;
  return override && isUndecided(transaction) ? attemptCharge(work, transaction, override) : succeed(work, transaction);
}
