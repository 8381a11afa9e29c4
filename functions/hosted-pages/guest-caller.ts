import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import { type ClaimTicket, unkeyedOperation } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Setup } from '#shared/ports/organizations.port.ts';

/** The submitted form and its number: one form starts one payment, however often it is sent. */
export type LinkStart = {
  readonly form: string;
  readonly ip: string;
  readonly method: string;
  readonly country?: string;
  readonly customer_email?: string;
};

type VisitingCaller = Caller & { readonly ticket: ClaimTicket };

/**
 * A caller with a link's URL: no key, and limited to the link's organization. The form's number is the idempotency key.
 */
export function visitingCaller(
  link: PaymentLink,
  { form, ip }: Pick<LinkStart, 'form' | 'ip'>,
  setup: Setup,
): VisitingCaller {
  return {
    orgId: link.org_id,
    credentialId: link.id,
    kind: 'public',
    scopes: [],
    actorId: null,
    ip,
    requestId: form,
    operation: unkeyedOperation(new Date(link.created_at)),
    ticket: {
      orgId: link.org_id,
      class: 'public',
      key: `${link.id} ${form}`,
      request: 'payment link',
      credentialId: link.id,
    },
    setup: async () => setup,
  };
}
