import type { ResultType, SearchResult } from '#functions/search/search.schema.ts';
import type { Scope } from '#shared/domain/reference/access.catalog.ts';
import { resourceIdsOf } from '#shared/domain/workflows/execution.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { ID_PREFIX, type IdKind, idTime, isId } from '#shared/kernel/ids.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type FindByIdDeps = Pick<
  Deps,
  | 'connections'
  | 'disputes'
  | 'events'
  | 'executions'
  | 'invoices'
  | 'paymentLinks'
  | 'paymentMethods'
  | 'payments'
  | 'refundIndex'
  | 'subscriptions'
>;

/** What is found: the payment that it is or belongs to. */
type Found = { readonly payment_id: string | null };

type Finder = {
  readonly kind: IdKind;
  readonly type: ResultType;
  readonly scope: Scope;
  readonly find: (orgId: string, id: string, deps: FindByIdDeps, caller: Caller) => Promise<Found | undefined>;
};

const alone = (record: object | undefined): Found | undefined => record && { payment_id: null };

/** Every kind of record that is found by its id alone, by the prefix of its ids. Most lines cost one read. */
const FINDERS: readonly Finder[] = [
  {
    kind: 'payment',
    type: 'payment',
    scope: 'payments:read',
    find: async (orgId, id, { payments }) => ((await payments.get(orgId, id)) ? { payment_id: id } : undefined),
  },
  { kind: 'refund', type: 'refund', scope: 'payments:read', find: findRefund },
  { kind: 'attempt', type: 'attempt', scope: 'payments:read', find: findAttempt },
  {
    kind: 'dispute',
    type: 'dispute',
    scope: 'payments:read',
    find: (orgId, id, { disputes }) => disputes.get(orgId, id),
  },
  {
    kind: 'link',
    type: 'payment_link',
    scope: 'payments:read',
    find: async (orgId, id, { paymentLinks }) => alone(await paymentLinks.get(orgId, id)),
  },
  {
    kind: 'paymentMethod',
    type: 'payment_method',
    scope: 'payments:read',
    find: async (orgId, id, { paymentMethods }) => alone(await (await paymentMethods()).get(orgId, id)),
  },
  {
    kind: 'subscription',
    type: 'subscription',
    scope: 'subscriptions:read',
    find: async (orgId, id, { subscriptions }) => alone(await subscriptions.get(orgId, id)),
  },
  {
    kind: 'invoice',
    type: 'invoice',
    scope: 'invoices:read',
    find: (orgId, id, { invoices }) => invoices.get(orgId, id),
  },
  {
    kind: 'connection',
    type: 'connection',
    scope: 'connections:read',
    find: async (orgId, id, { connections }) => {
      const connection = await connections.get(orgId, id);
      return connection && connection.deleted_at === undefined ? alone(connection) : undefined;
    },
  },
  {
    kind: 'event',
    type: 'event',
    scope: 'webhooks:read',
    find: async (orgId, id, { events }) => {
      const event = await events.get(orgId, id);
      return event && { payment_id: resourceIdsOf(event).payment ?? null };
    },
  },
  {
    kind: 'execution',
    type: 'workflow_run',
    scope: 'workflows:read',
    find: async (orgId, id, { executions }) => alone(await executions.get(orgId, id)),
  },
];

/** The record with this id, if the text is an id, the organization has it, and the caller may read its kind. */
export async function findById(q: string, caller: Caller, deps: FindByIdDeps): Promise<SearchResult[]> {
  const { orgId, scopes } = caller;
  const finder = FINDERS.find(({ kind }) => q.startsWith(`${ID_PREFIX[kind]}_`));
  if (!finder || !scopes.includes(finder.scope)) return [];
  const found = await finder.find(orgId, q, deps, caller);
  return found ? [{ type: finder.type, id: q, found_by: 'id', payment_id: found.payment_id }] : [];
}

/** Refunds are filed by their ids. The payment says whether it has the refund, and whose it is. */
async function findRefund(
  orgId: string,
  id: string,
  { payments, refundIndex }: Pick<Deps, 'payments' | 'refundIndex'>,
): Promise<Found | undefined> {
  const paymentId = await refundIndex.paymentOf(id);
  const payment = paymentId === undefined ? undefined : await payments.get(orgId, paymentId);
  return payment?.refunds.some((refund) => refund.id === id) ? { payment_id: payment.id } : undefined;
}

/** So many payments of one organization are looked at that were created in the same millisecond. */
const MAX_OF_A_MILLISECOND = 50;

/**
 * The attempts of the request that created a payment are as old as it: the list of payments has an entry at their time.
 * Later attempts, of a confirmation or a retry, are not found so.
 */
async function findAttempt(
  orgId: string,
  id: string,
  { payments }: Pick<Deps, 'payments'>,
  caller: Caller,
): Promise<Found | undefined> {
  if (!isId('attempt', id)) return undefined;
  const { connections, deletedConnections } = await caller.routingData();
  const { items } = await payments.list(orgId, [...connections.map((each) => each.id), ...deletedConnections], {
    limit: MAX_OF_A_MILLISECOND,
    offset: 0,
    created_after: idTime(id).toISOString(),
    created_before: plus(idTime(id), 1).toISOString(),
  });
  const payment = items.find(({ attempts }) => attempts.some((attempt) => attempt.id === id));
  return payment && { payment_id: payment.id };
}
