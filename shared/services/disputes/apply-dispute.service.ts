import { applyFound, type DisputeSource, openDispute } from '#shared/domain/disputes/dispute.machine.ts';
import type { Dispute, FoundDispute } from '#shared/domain/disputes/dispute.model.ts';
import { recordDisputed } from '#shared/domain/disputes/dispute.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type ApplyDisputeDeps = Pick<Deps, 'disputes' | 'payments' | 'clock'>;

/** A dispute of a charge that this connection made for this payment. */
type DisputedCharge = {
  readonly payment: Pick<Payment, 'id' | 'org_id' | 'mode'>;
  readonly connection: Pick<Connection, 'id' | 'provider'>;
  readonly reference: string;
  /** No callback says what becomes of it. */
  readonly polled?: true;
};

/**
 * What the PSP says, and how. It is read after the stored dispute (`before`), so that an older answer never replaces a
 * newer one.
 */
export type ReadDispute = (
  before: Dispute | undefined,
) => Promise<{ readonly found: FoundDispute; readonly source: DisputeSource }>;

/** Records what the PSP says of a dispute, known or new: the dispute, its events, and what it withholds, in one write. */
export function applyDispute(
  { payment, connection, reference, polled }: DisputedCharge,
  read: ReadDispute,
  deps: ApplyDisputeDeps,
): Promise<Dispute> {
  const attempt = async () => {
    const before = await deps.disputes.byReference({ org_id: payment.org_id, id: connection.id }, reference);
    const { found, source } = await read(before);
    const at = deps.clock.now();
    const of = {
      ...payment,
      connection_id: connection.id,
      provider: connection.provider,
      ...(polled && { polled }),
    };
    const after = before ? applyFound(before, found, source, at) : openDispute(of, { ...found, reference }, at);
    return after ? commitDispute(before, after, deps) : before;
  };
  return retryOnConflict(attempt, CHANGED_BY_OTHERS);
}

const CHANGED_BY_OTHERS = 'Others keep changing this dispute. Try again.';

/** Decides on the stored dispute; after a conflict it decides again, on the newer one. */
export function changeDispute(
  dispute: Dispute,
  decide: (dispute: Dispute) => Dispute | undefined,
  deps: ApplyDisputeDeps,
): Promise<Dispute> {
  let current: Dispute | undefined = dispute;
  const attempt = async () => {
    current ??= await deps.disputes.byId(dispute.id);
    if (!current) throw new AppError('not_found', `No dispute ${dispute.id}.`);
    const after = decide(current);
    if (!after) return current;
    const written = await commitDispute(current, after, deps);
    current = undefined;
    return written;
  };
  return retryOnConflict(attempt, CHANGED_BY_OTHERS);
}

/** Undefined if the dispute or its payment changed since they were read. */
async function commitDispute(
  before: Dispute | undefined,
  after: Dispute,
  { disputes, payments, clock }: ApplyDisputeDeps,
): Promise<Dispute | undefined> {
  const payment = await payments.byId(after.payment_id);
  const changed = payment && recordDisputed(payment, after, clock.now());
  const isWritten = await disputes.commit({
    dispute: before ? { before, after } : { after },
    ...(payment && changed && { payment: { before: payment, after: changed } }),
  });
  if (!isWritten) return undefined;
  return before ? { ...after, version: before.version + 1 } : after;
}
