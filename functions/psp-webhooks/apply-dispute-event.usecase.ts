import type { VerifiedWebhook } from '#functions/psp-webhooks/verify-webhook.ts';
import type { FoundDispute } from '#shared/domain/disputes/dispute.model.ts';
import type { DisputeEvent } from '#shared/ports/dispute.port.ts';
import { type ApplyDisputeDeps, applyDispute, lookUpDispute } from '#shared/services/disputes/apply-dispute.service.ts';
import { lookUpFailed } from '#shared/services/payments/apply-reported-refund.service.ts';

/**
 * A signature proves the sender, not the content: where the PSP has a look-up, the dispute is fetched before anything
 * changes. An event that names none says that the charge has some, and they are listed.
 */
export async function applyDisputeEvent(
  webhook: VerifiedWebhook,
  event: DisputeEvent,
  deps: ApplyDisputeDeps,
): Promise<void> {
  const { reference, reported } = event;
  if (reference === null) return applyReported(webhook, await listDisputes(webhook, event), deps);
  if (reported) return applyReported(webhook, [{ ...reported, reference }], deps);
  await applyDispute({ ...webhook, reference }, () => fetchDispute(webhook, { ...event, reference }), deps);
}

/** Disputes as an event or a list had them: the stored ones may be newer by now. */
export async function applyReported(
  webhook: VerifiedWebhook,
  disputes: readonly FoundDispute[],
  deps: ApplyDisputeDeps,
): Promise<void> {
  for (const found of disputes) {
    const read = async () => ({ found, source: 'report' }) as const;
    await applyDispute({ ...webhook, reference: found.reference }, read, deps);
  }
}

async function fetchDispute(
  { payment, session }: VerifiedWebhook,
  { reference, paymentReference }: DisputeEvent & { readonly reference: string },
) {
  const { id: paymentId, amount, currency, psp_reference } = payment;
  const charge = paymentReference ?? psp_reference;
  const ref = { reference, paymentId, charge, amount, currency };
  const found = await lookUpDispute(ref, session).catch(throwLookUpFailed);
  if (!found) throw lookUpFailed();
  return { found: { ...found, paymentReference: found.paymentReference ?? charge }, source: 'look_up' } as const;
}

async function listDisputes(
  { payment, session }: VerifiedWebhook,
  { paymentReference }: DisputeEvent,
): Promise<readonly FoundDispute[]> {
  const reference = paymentReference ?? payment.psp_reference;
  if (reference === null) throw lookUpFailed();
  const list = () =>
    session.disputes(async (calls, psp) => (await calls.list?.({ reference, paymentId: payment.id }, psp)) ?? []);
  return list().catch(throwLookUpFailed);
}

/** With this response the PSP sends the event again. */
function throwLookUpFailed(error: unknown): never {
  throw lookUpFailed(error);
}
