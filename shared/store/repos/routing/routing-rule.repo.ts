import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import { isId, randomText } from '#shared/kernel/ids.ts';
import type { RoutingRulesPort, RuleSaveResult } from '#shared/ports/routing-rules.port.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { keys } from '#shared/store/keys.ts';
import type { Item, TablePort, Write } from '#shared/store/table/table.port.ts';

/** Rules are in the partition that holds an organization's routing data, so that one query reads it all. */
export class RoutingRuleRepo implements RoutingRulesPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async get(orgId: string, id: string): Promise<RoutingRule | undefined> {
    const item = isId('rule', id)
      ? await this.#table.get(keys.routingRule(orgId, id), { consistent: true })
      : undefined;
    return item && toRule(item);
  }

  create(rule: RoutingRule): Promise<RuleSaveResult> {
    return this.#write([{ put: toItem(rule), condition: { absent: 'pk' } }, ruleCountWrite(rule, 1)]);
  }

  replace(before: RoutingRule, after: RoutingRule): Promise<RuleSaveResult> {
    const countChanges =
      before.connection_id === after.connection_id ? [] : [ruleCountWrite(after, 1), ruleCountWrite(before, -1)];
    return this.#write([{ put: toItem(after), condition: { eq: ['version', before.version] } }, ...countChanges]);
  }

  remove(rule: RoutingRule): Promise<RuleSaveResult> {
    return this.#write([
      { delete: keys.routingRule(rule.org_id, rule.id), condition: { eq: ['version', rule.version] } },
      ruleCountWrite(rule, -1),
    ]);
  }

  async #write(writes: readonly Write[]): Promise<RuleSaveResult> {
    const written = await this.#table.transact(writes, randomText(32));
    if (written.ok) return 'done';
    return written.failed.some(({ index }) => index === 0) ? 'conflict' : 'no_connection';
  }
}

/**
 * Counts on the connection how many rules use it. The version of the connection increases too: otherwise a concurrent
 * save of the whole connection could overwrite the count.
 */
const ruleCountWrite = ({ org_id, connection_id }: RoutingRule, count: 1 | -1): Write => ({
  update: keys.connection(org_id, connection_id),
  change: { add: { used_by_rules: count, version: 1 } },
  condition: count === 1 ? { all: [{ exists: 'pk' }, { absent: 'deleted_at' }] } : { exists: 'pk' },
});

const toItem = (rule: RoutingRule): Item => ({
  ...(rule as unknown as Item),
  ...keys.routingRule(rule.org_id, rule.id),
  item_type: 'routing_rule',
});

export const toRule = (item: Item): RoutingRule => fromItem<RoutingRule>(item);
