import type { ResultType, SearchResult } from '#functions/search/search.schema.ts';
import type { Scope } from '#shared/domain/reference/access.catalog.ts';
import { resourceIdsOf } from '#shared/domain/workflows/execution.rules.ts';
import { ID_PREFIX, type IdKind } from '#shared/kernel/ids.ts';
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
  | 'subscriptions'
>;

/** What is found: the payment that it is or belongs to. */
type Found = { readonly payment_id: string | null };

type Finder = {
  readonly kind: IdKind;
  readonly type: ResultType;
  readonly scope: Scope;
  readonly find: (orgId: string, id: string, deps: FindByIdDeps) => Promise<Found | undefined>;
};

const alone = (record: object | undefined): Found | undefined => record && { payment_id: null };

/** Every kind of record that is found by its id alone, by the prefix of its ids. Each line costs one read. */
const FINDERS: readonly Finder[] = [
  {
    kind: 'payment',
    type: 'payment',
    scope: 'payments:read',
    find: async (orgId, id, { payments }) => ((await payments.get(orgId, id)) ? { payment_id: id } : undefined),
  },
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
export async function findById(q: string, { orgId, scopes }: Caller, deps: FindByIdDeps): Promise<SearchResult[]> {
  const finder = FINDERS.find(({ kind }) => q.startsWith(`${ID_PREFIX[kind]}_`));
  if (!finder || !scopes.includes(finder.scope)) return [];
  const found = await finder.find(orgId, q, deps);
  return found ? [{ type: finder.type, id: q, found_by: 'id', payment_id: found.payment_id }] : [];
}
