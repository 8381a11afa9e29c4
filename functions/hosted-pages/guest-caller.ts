import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import { type IdempotencyRequest, unkeyedOperation } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { RoutingData } from '#shared/ports/organizations.port.ts';

/** What a submitted form asks for. One form starts one payment, however often it is sent. */
export type StartInput = {
  /** The form's id. */
  readonly form: string;
  readonly ip: string;
  readonly method: string;
  readonly country?: string;
  readonly customer_email?: string;
};

type GuestCaller = Caller & { readonly idempotencyRequest: IdempotencyRequest };

/**
 * A caller who knows a link's URL: without a key, and limited to the link's organization. The form's id is the
 * idempotency key.
 */
export function guestCaller(
  link: PaymentLink,
  { form, ip }: Pick<StartInput, 'form' | 'ip'>,
  routingData: RoutingData,
): GuestCaller {
  return {
    orgId: link.org_id,
    credentialId: link.id,
    kind: 'public',
    scopes: [],
    actorId: null,
    ip,
    requestId: form,
    operation: unkeyedOperation(new Date(link.created_at)),
    idempotencyRequest: {
      orgId: link.org_id,
      class: 'public',
      key: `${link.id} ${form}`,
      request: 'payment link',
      credentialId: link.id,
    },
    routingData: async () => routingData,
  };
}
