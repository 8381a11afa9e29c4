import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import { keys } from '#shared/store/keys.ts';
import { organizationItem } from '#shared/store/repos/accounts/organization.entity.ts';
import { connectionItem, ruleItem } from '#shared/store/repos/routing/setup.entity.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

const AT_ONCE = 25;

type StoredSetup = {
  readonly organization?: Organization;
  readonly connections?: readonly Connection[];
  readonly rules?: readonly RoutingRule[];
};

/** Stores items as a release without limits and without snapshots did: past the limits, and no snapshot has them. */
export async function storeSetup(table: TablePort, orgId: string, setup: StoredSetup): Promise<void> {
  const { organization, connections = [], rules = [] } = setup;
  if (organization) await table.put(organizationItem(organization));
  const items = [...connections.map(connectionItem), ...rules.map(ruleItem)];
  for (let from = 0; from < items.length; from += AT_ONCE)
    await Promise.all(items.slice(from, from + AT_ONCE).map((item) => table.put(item)));
  await removeSnapshot(table, orgId);
}

/** After a test has changed an item directly: the next payment makes the snapshot anew. */
export const removeSnapshot = (table: TablePort, orgId: string): Promise<unknown> =>
  table.delete(keys.routingSnapshot(orgId, 0));
