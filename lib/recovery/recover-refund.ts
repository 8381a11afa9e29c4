import type { ProviderList } from '#lib/recovery/provider-list.ts';
import type { Mode, RecoverDeps } from '#lib/recovery/recover-charge.ts';
import type { FoundRefund } from '#lib/recovery/recovery-report.ts';
import { markUnreadRefunds } from '#shared/domain/payments/refund.rules.ts';
import type { PspTransaction } from '#shared/ports/psp.port.ts';

/**
 * A refund that a provider made in the time. Its payment is marked, and the timer then reads all refunds of the charge
 * from the provider, and records those that we do not have.
 */
export async function recoverRefund(
  list: ProviderList,
  refund: PspTransaction,
  mode: Mode,
  deps: Pick<RecoverDeps, 'payments' | 'clock'>,
): Promise<FoundRefund | undefined> {
  const { org_id, provider } = list.connection;
  const payment =
    (refund.ids.payment_id === undefined ? undefined : await deps.payments.byOperationId(refund.ids.payment_id)) ??
    (await deps.payments.byReference(provider, refund.reference));
  const base = { org_id, provider, reference: refund.reference, at: refund.at };
  // A refund that names nothing of ours, of a charge that is not ours, is the merchant's own.
  if (!payment || payment.org_id !== org_id) return undefined;
  // Several connections may have one account, whose list shows the refunds of all of them.
  const attempt = payment.attempts.find((a) => a.psp_reference === refund.reference && a.provider === provider);
  const found = { ...base, payment_id: payment.id };
  if (!attempt) return { ...found, result: 'not_recovered', reason: 'Its payment does not have this charge.' };
  if (mode.write)
    await deps.payments.change(payment, (p) =>
      p.attempts.some((a) => a.id === attempt.id && a.status === 'succeeded')
        ? markUnreadRefunds(p, attempt.id, deps.clock.now())
        : undefined,
    );
  return { ...found, result: 'read' };
}
