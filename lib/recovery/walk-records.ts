import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import type { Dispute } from '#shared/domain/disputes/dispute.model.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { Deps } from '#shared/ports/deps.ts';

const PAGE_SIZE = 100;

/** Of an id that was mistyped nothing would be found, which would look as if all was well. */
export async function requireOrganization(
  id: string,
  { organizations }: Pick<Deps, 'organizations'>,
): Promise<Organization> {
  const organization = await organizations.byId(id);
  if (!organization) throw new Error(`There is no organization ${id}.`);
  return organization;
}

export async function* allOrganizations({ platform }: Pick<Deps, 'platform'>): AsyncGenerator<string> {
  for (let cursor: string | undefined; ; ) {
    const { items, next } = await platform.organizations({ limit: PAGE_SIZE, offset: 0, cursor });
    for (const { id } of items) yield id;
    if (next === undefined) return;
    cursor = next;
  }
}

type Window = { readonly created_after?: string; readonly created_before?: string };

/** Newest first, of all connections, also deleted ones. */
export async function* allPayments(
  orgId: string,
  window: Window,
  { payments, organizations }: Pick<Deps, 'payments' | 'organizations'>,
): AsyncGenerator<Payment> {
  const { connections, deletedConnections } = await organizations.routingData(orgId);
  const ids = [...connections.map(({ id }) => id), ...deletedConnections];
  for (let cursor: string | undefined; ; ) {
    const query = { ...window, limit: PAGE_SIZE, offset: 0, ...(cursor !== undefined && { cursor }) };
    const { items, next } = await payments.list(orgId, ids, query);
    yield* items;
    if (next === undefined) return;
    cursor = next;
  }
}

/** Newest first. */
export async function* allDisputes(
  orgId: string,
  window: Window,
  { disputes }: Pick<Deps, 'disputes'>,
): AsyncGenerator<Dispute> {
  for (let cursor: string | undefined; ; ) {
    const query = { ...window, limit: PAGE_SIZE, offset: 0, ...(cursor !== undefined && { cursor }) };
    const { items, next } = await disputes.list(orgId, query);
    yield* items;
    if (next === undefined) return;
    cursor = next;
  }
}

/** Newest first. */
export async function* allSubscriptions(
  orgId: string,
  { subscriptions }: Pick<Deps, 'subscriptions'>,
): AsyncGenerator<Subscription> {
  for (let cursor: string | undefined; ; ) {
    const { items, next } = await subscriptions.list(orgId, { limit: PAGE_SIZE, offset: 0, ...(cursor && { cursor }) });
    yield* items;
    if (next === undefined) return;
    cursor = next;
  }
}
