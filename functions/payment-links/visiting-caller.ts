import type { PaymentLink } from '#shared/domain/payment-link.model.ts';
import { type ClaimTicket, unkeyedOperation } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Setup } from '#shared/ports/stores.port.ts';

/** What the customer filled in, in a form of that number: one form starts one payment, however often it is sent. */
export type LinkStart = { readonly form: string; readonly ip: string; readonly method: string; readonly country?: string; readonly customer_email?: string };

export type VisitingCaller = Caller & { readonly ticket: ClaimTicket };

/** Somebody with a link's address: without a key, and for the link's organization alone. The form's number is the idempotency key. */
export function visitingCaller(link: PaymentLink, { form, ip }: Pick<LinkStart, 'form' | 'ip'>, setup: Setup): VisitingCaller {
  return {
    orgId: link.org_id,
    credentialId: link.id,
    kind: 'public',
    scopes: [],
    actorId: null,
    ip,
    requestId: form,
    operation: unkeyedOperation(new Date(link.created_at)),
    ticket: { orgId: link.org_id, class: 'public', key: `${link.id} ${form}`, request: 'payment link', credentialId: link.id },
    setup: async () => setup,
  };
}
