import { answeredLink } from '#functions/payment-links/answered-link.ts';
import type { CreatePaymentLinkBody } from '#functions/payment-links/payment-links.schema.ts';
import { Answer } from '#shared/http/route.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

const USUAL_METHOD = 'card';

/** A page that customers pay at. The same operation makes the same link, also when repeated. */
export async function createPaymentLink(
  input: CreatePaymentLinkBody,
  caller: Caller,
  deps: Pick<Deps, 'paymentLinks' | 'clock' | 'config'>,
) {
  const {
    amount,
    currency,
    description = null,
    methods = [USUAL_METHOD],
    expires_at = null,
    max_payments = 1,
    metadata = {},
  } = input;
  const { at } = caller.operation;
  if (expires_at !== null && new Date(expires_at) <= at)
    throw invalidFields([{ path: 'expires_at', message: 'Must lie in the future.' }]);
  const link = await deps.paymentLinks.create({
    id: operationId(caller.operation, 'link'),
    org_id: caller.orgId,
    mode: deps.config.stage,
    amount,
    currency,
    description,
    methods,
    status: 'active',
    max_payments,
    payments_made: 0,
    expires_at,
    metadata,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
    version: 1,
    slots_left: max_payments,
    slots: {},
    outbox: [],
    announced: 0,
  });
  return new Answer(answeredLink(link, deps), { location: `/v1/payment-links/${link.id}` });
}
