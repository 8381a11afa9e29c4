import { dueStepOf } from '#shared/domain/routing/ab-test.machine.ts';
import type { AbTest } from '#shared/domain/routing/ab-test.model.ts';
import type { VariantTotals } from '#shared/domain/routing/ab-test-results.rules.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { AbTestSaveResult, AbTestsPort, AbTestWithTotals, RunningAbTests } from '#shared/ports/ab-tests.port.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { dueEntry, keys, testPartition } from '#shared/store/keys.ts';
import { queryAll } from '#shared/store/read-all.ts';
import { toVariantTotals } from '#shared/store/repos/reporting/stored-totals.repo.ts';
import { AB_LANES, withLanes } from '#shared/store/repos/reporting/total-lanes.ts';
import { runningTestsItem, toRunningTests } from '#shared/store/repos/routing/setup.entity.ts';
import { writeSetup } from '#shared/store/repos/routing/write-setup.ts';
import type { Item, Range, TablePort, Write } from '#shared/store/table/table.port.ts';
import { createOnce } from '#shared/store/versioned-repo.ts';

const PAGE_SIZE = 1_000;

/**
 * A test and its totals are in one partition. Routing reads another item, which holds all running tests of the
 * organization.
 */
export class AbTestRepo implements AbTestsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  create(test: AbTest): Promise<AbTest> {
    return createOnce(this.#table, { toItem, fromItem: toTest }, test);
  }

  async get(orgId: string, id: string): Promise<AbTest | undefined> {
    const item = isId('abTest', id) ? await this.#table.get(keys.abTest(orgId, id), { consistent: true }) : undefined;
    return item && toTest(item);
  }

  async getWithTotals(orgId: string, id: string): Promise<AbTestWithTotals | undefined> {
    return isId('abTest', id) ? (await this.#withTotals(orgId, { prefix: id }))[0] : undefined;
  }

  async list(orgId: string): Promise<readonly AbTestWithTotals[]> {
    return this.#withTotals(orgId);
  }

  async running(orgId: string): Promise<RunningAbTests> {
    const item = await this.#table.get(keys.runningAbTests(orgId), { consistent: true });
    return { tests: item ? toRunningTests(item) : [], version: Number(item?.version ?? 0) };
  }

  async replace(before: AbTest, after: AbTest, running?: RunningAbTests): Promise<AbTestSaveResult> {
    const testWrites: Write[] = [
      { put: toItem(after), condition: { eq: ['version', before.version] } },
      ...(running ? [runningTestsWrite(after.org_id, running)] : []),
    ];
    const writes = [...testWrites, ...ruleUsageWrites(before, after)];
    const written = await writeSetup(this.#table, after.org_id, writes);
    if (written.ok) return 'done';
    return written.failed.some(({ index }) => index < testWrites.length) ? 'conflict' : 'no_rule';
  }

  async #withTotals(orgId: string, range?: Range): Promise<readonly AbTestWithTotals[]> {
    const items = await this.#items(orgId, range);
    const totals = items.filter(({ item_type }) => item_type === 'ab_result');
    return withTotals(items, await withLanes(this.#table, orgId, { range: { prefix: AB_LANES } }, totals));
  }

  #items(orgId: string, range?: Range): Promise<readonly Item[]> {
    return queryAll(this.#table, {
      pk: testPartition(orgId),
      limit: PAGE_SIZE,
      consistent: true,
      ...(range && { range }),
    });
  }
}

function runningTestsWrite(orgId: string, { tests, version }: RunningAbTests): Write {
  const item = runningTestsItem(orgId, tests, version + 1);
  return { put: item, condition: version === 0 ? { absent: 'pk' } : { eq: ['version', version] } };
}

/**
 * Counts on each routing rule how many unfinished variants use it. The version of the rule increases too, so that a
 * concurrent save of the rule cannot overwrite the count.
 */
function ruleUsageWrites(before: AbTest, after: AbTest): readonly Write[] {
  const usesRules = ({ status, started_at }: AbTest) => started_at !== null && status !== 'completed';
  if (usesRules(before) === usesRules(after)) return [];
  const counts = Map.groupBy(after.variants, ({ routing_rule_id }) => routing_rule_id);
  return [...counts].map(([id, { length }]) => ({
    update: keys.routingRule(after.org_id, id),
    change: { add: { used_by_tests: usesRules(after) ? length : -length, version: 1 } },
    condition: { exists: 'pk' },
  }));
}

/** The totals of a variant are in one item or several. */
function withTotals(items: readonly Item[], lanes: readonly Item[]): readonly AbTestWithTotals[] {
  const totalsOf = (id: string) => {
    const variants = Map.groupBy(
      lanes.filter(({ test_id }) => test_id === id),
      ({ variant }) => String(variant),
    );
    return new Map([...variants].map(([variant, own]): [string, VariantTotals] => [variant, toVariantTotals(own)]));
  };
  return items
    .filter(({ item_type }) => item_type === 'ab_test')
    .map((item) => ({ test: toTest(item), totals: totalsOf(String(item.id)) }));
}

function toItem(test: AbTest): Item {
  const due = dueStepOf(test)?.at.toISOString();
  return {
    ...(test as unknown as Item),
    ...keys.abTest(test.org_id, test.id),
    item_type: 'ab_test',
    ...dueEntry(due, test.id),
  };
}

const toTest = (item: Item): AbTest => fromItem<AbTest>(item);
