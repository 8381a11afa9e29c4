import { isOpen } from '#shared/domain/payments/attempts.rules.ts';
import { allows } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type ChargeRef, type Deadline, type PspOutcome, PspRefused } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';
import { openAsSent } from '#shared/services/payments/open-as-sent.service.ts';

type Needs = Pick<Deps, 'psp' | 'connections'>;

/** Opens the account that an attempt was made at, for questions and further calls. */
export async function openSession(
  payment: Payment,
  attempt: Attempt,
  deadline: Deadline,
  deps: Needs,
): Promise<PspSession> {
  const connection = await deps.connections.get(payment.org_id, attempt.connection_id);
  if (!connection) throw new PspRefused('not_found', 'The connection is gone.');
  return openAsSent(connection, attempt, deadline, deps);
}

export function referenceOf({ psp_reference }: Attempt): string {
  if (psp_reference === null) throw new PspRefused('not_found', 'The provider has not named the charge yet.');
  return psp_reference;
}

/** What a question to the PSP is about. With `wanted: false` nothing is captured by the look-up. */
export const chargeRef = (payment: Payment, attempt: Attempt, reference: string = referenceOf(attempt)): ChargeRef => ({
  reference,
  paymentId: payment.id,
  attemptId: attempt.id,
  wanted: isOpen(attempt) && attempt.ending === undefined && allows(payment, 'succeed') && payment.status !== 'failed',
});

/** Ends a charge at its PSP. Where that is too late or not possible, the PSP's status of the charge is the answer. */
export async function endAtPsp(
  payment: Payment,
  attempt: Attempt,
  deadline: Deadline,
  deps: Needs,
): Promise<PspOutcome> {
  const session = await openSession(payment, attempt, deadline, deps);
  const charge = { ...chargeRef(payment, attempt), wanted: false };
  try {
    return await session.cancel(charge);
  } catch (error) {
    if (error instanceof PspRefused && error.kind === 'state') return session.fetch(charge);
    // A charge that lapsed at the PSP and only ever waited for the customer takes no money any more.
    if (error instanceof PspRefused && error.kind === 'not_found' && attempt.status === 'requires_action')
      return { kind: 'canceled', reference: charge.reference };
    throw error;
  }
}
