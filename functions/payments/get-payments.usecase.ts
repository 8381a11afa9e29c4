import type { ListPaymentsQuery } from '#functions/payments/payments.schema.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { shouldPollOnRead } from '#shared/domain/payments/reconciliation.rules.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { pollNow } from '#shared/services/payments/poll-payment.service.ts';

/** The payment. An unknown outcome is queried first, so that readers need not wait for the timer. */
export async function getPayment(
  { id }: { readonly id: string },
  caller: Caller,
  deps: Parameters<typeof pollNow>[1],
): Promise<Payment> {
  const payment = orNotFound(await deps.payments.get(caller.orgId, id), 'There is no such payment.');
  return shouldPollOnRead(payment, deps.clock.now()) ? pollNow(payment, deps) : payment;
}

/** Newest first. A page's cost depends on the page, not on the list. */
export async function listPayments(
  query: ListPaymentsQuery,
  caller: Caller,
  deps: Pick<Deps, 'payments'>,
): Promise<ListPage<Payment>> {
  const routingData = await caller.routingData();
  return deps.payments.list(
    caller.orgId,
    [...routingData.connections.map((c) => c.id), ...routingData.deletedConnections],
    query,
  );
}
