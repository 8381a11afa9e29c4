import { dutyOf } from '#shared/domain/routing/ab-test.machine.ts';
import type { AbTest, RunningTest } from '#shared/domain/routing/ab-test.model.ts';
import type { VariantTotals } from '#shared/domain/routing/ab-test-results.rules.ts';
import { isId, randomText } from '#shared/kernel/ids.ts';
import type { AbTestsPort, CountedTest, RunningTests, TestWritten } from '#shared/ports/ab-tests.port.ts';
import type { Item, Range, TablePort, Write } from '#shared/ports/table.port.ts';
import { allPages } from '#shared/store/all-pages.ts';
import { certainPut } from '#shared/store/certain-put.ts';
import { indexKeys, keys, testPartition } from '#shared/store/keys.ts';
import { recordIn } from '#shared/store/record-in.ts';
import { toVariantTotals } from '#shared/store/repos/totals.repo.ts';

const PAGE = 1_000;

/**
 * Tests and their totals are stored together, apart from what routing reads: running ones are in an item of its own
 * there.
 */
export class AbTestRepo implements AbTestsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async create(test: AbTest): Promise<AbTest> {
    const written = await certainPut(this.#table, toItem(test), { absent: 'pk' });
    return written.ok || !written.old ? test : toTest(written.old);
  }

  async get(orgId: string, id: string): Promise<AbTest | undefined> {
    const item = isId('abTest', id) ? await this.#table.get(keys.abTest(orgId, id), { consistent: true }) : undefined;
    return item && toTest(item);
  }

  async counted(orgId: string, id: string): Promise<CountedTest | undefined> {
    return isId('abTest', id) ? countedIn(await this.#items(orgId, { prefix: id }))[0] : undefined;
  }

  async list(orgId: string): Promise<readonly CountedTest[]> {
    return countedIn(await this.#items(orgId));
  }

  async running(orgId: string): Promise<RunningTests> {
    const item = await this.#table.get(keys.runningTests(orgId), { consistent: true });
    return { tests: item ? toRunning(item) : [], version: Number(item?.version ?? 0) };
  }

  async replace(before: AbTest, after: AbTest, running?: RunningTests): Promise<TestWritten> {
    const contested: Write[] = [
      { put: toItem(after), cond: { eq: ['version', before.version] } },
      ...(running ? [standing(after.org_id, running)] : []),
    ];
    const written = await this.#table.transact([...contested, ...holds(before, after)], randomText(32));
    if (written.ok) return 'done';
    return written.failed.some(({ index }) => index < contested.length) ? 'conflict' : 'no_rule';
  }

  #items(orgId: string, range?: Range): Promise<readonly Item[]> {
    return allPages(this.#table, { pk: testPartition(orgId), limit: PAGE, consistent: true, ...(range && { range }) });
  }
}

function standing(orgId: string, { tests, version }: RunningTests): Write {
  const item = {
    ...keys.runningTests(orgId),
    item_type: 'running_tests',
    version: version + 1,
    tests,
  } as unknown as Item;
  return { put: item, cond: version === 0 ? { absent: 'pk' } : { eq: ['version', version] } };
}

/**
 * Updates the counts on the variants' rules. Their version moves too: a concurrent save of a rule must not lose the
 * count.
 */
function holds(before: AbTest, after: AbTest): readonly Write[] {
  const held = ({ status, started_at }: AbTest) => started_at !== null && status !== 'completed';
  if (held(before) === held(after)) return [];
  const counts = Map.groupBy(after.variants, ({ routing_rule_id }) => routing_rule_id);
  return [...counts].map(([id, { length }]) => ({
    update: keys.routingRule(after.org_id, id),
    change: { add: { used_by_tests: held(after) ? length : -length, version: 1 } },
    cond: { exists: 'pk' },
  }));
}

function countedIn(items: readonly Item[]): readonly CountedTest[] {
  const totals = Map.groupBy(
    items.filter(({ item_type }) => item_type === 'ab_result'),
    ({ test_id }) => test_id,
  );
  const ofTest = (id: string) =>
    new Map(
      (totals.get(id) ?? []).map((item): [string, VariantTotals] => [String(item.variant), toVariantTotals(item)]),
    );
  return items
    .filter(({ item_type }) => item_type === 'ab_test')
    .map((item) => ({ test: toTest(item), totals: ofTest(String(item.id)) }));
}

function toItem(test: AbTest): Item {
  const due = dutyOf(test)?.at.toISOString();
  return {
    ...(test as unknown as Item),
    ...keys.abTest(test.org_id, test.id),
    item_type: 'ab_test',
    ...(due !== undefined && { due_pk: indexKeys.due(test.id), due_sk: `${due}#${test.id}` }),
  };
}

const toTest = (item: Item): AbTest => recordIn<AbTest>(item);

export const toRunning = ({ tests }: Item): readonly RunningTest[] => tests as unknown as readonly RunningTest[];
