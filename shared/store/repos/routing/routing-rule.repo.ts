import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import type { RoutingSetup } from '#shared/domain/routing/routing-snapshot.rules.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { RoutingRulesPort, RuleSaveResult } from '#shared/ports/routing-rules.port.ts';
import { keys, ranges } from '#shared/store/keys.ts';
import { queryAll } from '#shared/store/read-all.ts';
import { ruleItem, toRule } from '#shared/store/repos/routing/setup.entity.ts';
import { writeSetup } from '#shared/store/repos/routing/write-setup.ts';
import type { TablePort, Write } from '#shared/store/table/table.port.ts';

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

  async list(orgId: string): Promise<readonly RoutingRule[]> {
    const items = await queryAll(this.#table, { ...ranges.routingRules(orgId), limit: 1_000, consistent: true });
    return items.map(toRule);
  }

  create(rule: RoutingRule): Promise<RuleSaveResult> {
    return this.#write(rule, [{ put: ruleItem(rule), condition: { absent: 'pk' } }, ruleCountWrite(rule, 1)]);
  }

  replace(before: RoutingRule, after: RoutingRule): Promise<RuleSaveResult> {
    const countChanges =
      before.connection_id === after.connection_id ? [] : [ruleCountWrite(after, 1), ruleCountWrite(before, -1)];
    const write: Write = { put: ruleItem(after), condition: { eq: ['version', before.version] } };
    return this.#write(after, [write, ...countChanges]);
  }

  async reorder(...[orgId, rules, changes]: Parameters<RoutingRulesPort['reorder']>): Promise<'done' | 'conflict'> {
    const writes = changes.map(
      ({ before, after }): Write => ({ put: ruleItem(after), condition: { eq: ['version', before.version] } }),
    );
    const assertSame = (stored: RoutingSetup) => {
      if (!isSameSet(stored.rules, rules)) throw new OtherRules();
    };
    try {
      return (await writeSetup(this.#table, orgId, writes, assertSame)).ok ? 'done' : 'conflict';
    } catch (error) {
      if (error instanceof OtherRules) return 'conflict';
      throw error;
    }
  }

  remove(rule: RoutingRule): Promise<RuleSaveResult> {
    return this.#write(rule, [
      { delete: keys.routingRule(rule.org_id, rule.id), condition: { eq: ['version', rule.version] } },
      ruleCountWrite(rule, -1),
    ]);
  }

  async #write({ org_id }: RoutingRule, writes: readonly Write[]): Promise<RuleSaveResult> {
    const written = await writeSetup(this.#table, org_id, writes);
    if (written.ok) return 'done';
    return written.failed.some(({ index }) => index === 0) ? 'conflict' : 'no_connection';
  }
}

class OtherRules extends Error {}

function isSameSet(stored: readonly RoutingRule[], read: readonly RoutingRule[]): boolean {
  const versions = new Map(read.map(({ id, version }) => [id, version]));
  return stored.length === read.length && stored.every(({ id, version }) => versions.get(id) === version);
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
