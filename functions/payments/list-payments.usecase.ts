import type { ListPaymentsQuery } from '#functions/payments/payments.schema.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Listed = {
  readonly payments: Payment[];
  readonly pagination: { readonly limit: number; readonly offset: number; readonly has_more: boolean };
};

/** Newest first. A page's cost depends on the page, not on the list. */
export async function listPayments(query: ListPaymentsQuery, caller: Caller, deps: Deps): Promise<Answer<Listed>> {
  const setup = await caller.setup();
  const page = await deps.payments.list(
    caller.orgId,
    [...setup.connections.map((c) => c.id), ...setup.deletedConnections],
    query,
  );
  const { limit, offset } = query;
  const listed = { payments: [...page.items], pagination: { limit, offset, has_more: page.next !== undefined } };
  return new Answer(listed, { link: nextLink(`${deps.config.apiUrl}/v1/payments`, query, page.next) });
}
