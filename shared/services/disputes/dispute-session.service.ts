import type { Dispute } from '#shared/domain/disputes/dispute.model.ts';
import { chargeOf } from '#shared/domain/payments/capture.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
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
