import type { VerifiedWebhook } from '#functions/psp-webhooks/verify-webhook.ts';
import type { FoundDispute } from '#shared/domain/disputes/dispute.model.ts';
import type { DisputeEvent } from '#shared/ports/dispute.port.ts';
import {
  type ApplyDisputeDeps,
  applyDispute,
  type ReadDispute,
} from '#shared/services/disputes/apply-dispute.service.ts';
import { lookUpDispute } from '#shared/services/disputes/dispute-session.service.ts';
import { lookUpFailed, throwLookUpFailed } from '#shared/services/payments/apply-reported-refund.service.ts';

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
  if (reference === null) return applyListedDisputes(webhook, await listDisputes(webhook, event), deps);
  if (reported) return applyReported(webhook, { ...reported, reference }, deps);
  await applyDispute({ ...webhook, reference }, () => fetchDispute(webhook, { ...event, reference }), deps);
}

/** A dispute as an event had it: the stored one may be newer by now. */
async function applyReported(webhook: VerifiedWebhook, found: FoundDispute, deps: ApplyDisputeDeps): Promise<void> {
  const read = async () => ({ found, source: 'report' }) as const;
  await applyDispute({ ...webhook, reference: found.reference }, read, deps);
}

/**
 * Disputes as a list had them, which was read before the stored ones were, and may arrive after a newer one. So what the
 * list changes is looked up again.
 */
export async function applyListedDisputes(
  webhook: VerifiedWebhook,
  disputes: readonly FoundDispute[],
  deps: ApplyDisputeDeps,
): Promise<void> {
  for (const found of disputes) {
    const { reference, paymentReference } = found;
    const read: ReadDispute = async (before) =>
      before && before.status !== found.status
        ? fetchDispute(webhook, { kind: 'dispute', reference, paymentReference })
        : { found, source: 'report' };
    await applyDispute({ ...webhook, reference }, read, deps);
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
