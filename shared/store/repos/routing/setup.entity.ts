import type { RunningTest } from '#shared/domain/routing/ab-test.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { purgeAt } from '#shared/domain/routing/connection-credentials.rules.ts';
import type { FraudPolicy } from '#shared/domain/routing/fraud-policy.model.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import type { RoutingSetup } from '#shared/domain/routing/routing-snapshot.rules.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { dueEntry, keys } from '#shared/store/keys.ts';
import { toOrganization } from '#shared/store/repos/accounts/organization.entity.ts';
import type { Item } from '#shared/store/table/table.port.ts';

export function connectionItem(connection: Connection): Item {
  const { org_id, id } = connection;
  const due = purgeAt(connection)?.toISOString();
  return {
    ...(connection as unknown as Item),
    ...keys.connection(org_id, id),
    item_type: 'connection',
    ...dueEntry(due, id),
  };
}

export const toConnection = (item: Item): Connection => ({
  ...fromItem<Connection>(item),
  audits: Number(item.audits ?? 0),
  used_by_rules: Number(item.used_by_rules ?? 0),
  generation: Number(item.generation ?? 1),
  former: (item.former ?? []) as Connection['former'],
});

export const isLive = ({ deleted_at }: Connection): boolean => deleted_at === undefined;

export const ruleItem = (rule: RoutingRule): Item => ({
  ...(rule as unknown as Item),
  ...keys.routingRule(rule.org_id, rule.id),
  item_type: 'routing_rule',
});

export const toRule = (item: Item): RoutingRule => fromItem<RoutingRule>(item);

export const fraudPolicyItem = (orgId: string, policy: FraudPolicy): Item => ({
  ...(policy as unknown as Item),
  ...keys.fraudPolicy(orgId),
  item_type: 'fraud_policy',
});

export function toFraudPolicy(item: Item): FraudPolicy {
  const { enabled, max_amount, velocity, blocked, allowed, action, updated_at, version } =
    item as unknown as FraudPolicy;
  return { enabled, max_amount, velocity, blocked, allowed, action, updated_at, version };
}

export const runningTestsItem = (orgId: string, tests: readonly RunningTest[], version: number): Item =>
  ({ ...keys.runningAbTests(orgId), item_type: 'running_tests', version, tests }) as unknown as Item;

export const toRunningTests = ({ tests }: Item): readonly RunningTest[] => tests as unknown as readonly RunningTest[];

/** The setup in the items of an organization's partition. */
export function toSetup(items: readonly Item[]): RoutingSetup {
  const of = (type: string) => items.filter((item) => item.item_type === type);
  const connections = of('connection').map(toConnection);
  return {
    organization: of('organization').map(toOrganization)[0],
    connections: connections.filter(isLive),
    deletedConnections: connections.filter((each) => !isLive(each)).map(({ id }) => id),
    rules: of('routing_rule').map(toRule),
    tests: of('running_tests').flatMap(toRunningTests),
    fraud: of('fraud_policy').map(toFraudPolicy)[0],
  };
}
