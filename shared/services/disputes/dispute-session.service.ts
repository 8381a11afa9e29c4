import type { Dispute, FoundDispute } from '#shared/domain/disputes/dispute.model.ts';
import { chargeOf } from '#shared/domain/payments/capture.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { DisputeRef } from '#shared/ports/dispute.port.ts';
import { PspRefused } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';
import { openSession } from '#shared/services/payments/psp-session.service.ts';

export type DisputeSessionDeps = Pick<Deps, 'payments' | 'connections' | 'psp' | 'pspDeadline'>;

/** A session at the account that made the disputed charge. */
export async function openDisputeSession(dispute: Dispute, deps: DisputeSessionDeps): Promise<PspSession> {
  const payment = await deps.payments.byId(dispute.payment_id);
  const ofConnection = payment?.attempts.filter(({ connection_id }) => connection_id === dispute.connection_id) ?? [];
  const charged = payment && chargeOf(payment, dispute.charge_reference);
  const attempt = ofConnection.find(({ id }) => id === charged?.id) ?? ofConnection.at(-1);
  if (!payment || !attempt) throw new PspRefused('not_found', 'The charge of this dispute is not known.');
  return openSession(payment, attempt, deps.pspDeadline(), deps);
}

export const refOfDispute = (dispute: Dispute): DisputeRef => ({
  reference: dispute.psp_reference,
  paymentId: dispute.payment_id,
  charge: dispute.charge_reference,
  amount: dispute.amount,
  currency: dispute.currency,
});

/** The dispute as the PSP has it now. Undefined if the PSP has no look-up, or does not list it. */
export const lookUpDispute = (ref: DisputeRef, session: PspSession): Promise<FoundDispute | undefined> =>
  session.disputes(async (calls, psp) => {
    if (calls.fetch) return calls.fetch(ref, psp);
    if (!calls.list || ref.charge === null) return undefined;
    const listed = await calls.list({ reference: ref.charge, paymentId: ref.paymentId }, psp);
    return listed.find(({ reference }) => reference === ref.reference);
  });
