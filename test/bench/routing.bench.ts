import { COUNTRIES } from '#shared/domain/reference/countries.catalog.ts';
import type { HealthStatus } from '#shared/domain/routing/health.rules.ts';
import { planRouting, type RoutingPlan } from '#shared/domain/routing/routing.rules.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import { keys } from '#shared/store/keys.ts';
import { OrganizationRepo } from '#shared/store/repos/accounts/organization.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { type Cost, countedTable } from '#test/bench/counted-table.ts';
import { candidatesOf } from '#test/support/candidates.ts';
import { aConnection, ORG } from '#test/support/payment.builder.ts';
import { later } from '#test/support/stopped-clock.ts';
import { storeSetup } from '#test/support/stored-setup.ts';

/** The cost of a routing decision, in time and in reads. */
const CONNECTIONS = 50;
const DECISIONS = 20_000;
const STATUSES: readonly HealthStatus[] = ['healthy', 'unknown', 'degraded', 'down'];
const countries = [...COUNTRIES];
const pick = <T>(list: readonly T[], n: number): T => list[(n * 7_919) % list.length] as T;

const connections = Array.from({ length: CONNECTIONS }, (_, n) =>
  aConnection({
    id: `conn_${n}`,
    org_id: ORG,
    fee_structure: { percentage: 1 + (n % 7) / 10, fixed: n % 30 },
    routing_hints: { country_preference: [pick(countries, n)] },
  }),
);

const rule = (n: number): RoutingRule => ({
  id: `rule_${String(n).padStart(26, '0')}`,
  org_id: ORG,
  name: `Rule ${n}`,
  countries: [pick(countries, n), pick(countries, n + 1), pick(countries, n + 2)],
  methods: n % 3 === 0 ? [] : ['card', 'ideal'],
  connection_id: `conn_${n % CONNECTIONS}`,
  priority: n % 10,
  fallback_to_default: n % 2 === 0,
  enabled: n % 20 !== 0,
  created_at: later(n).toISOString(),
  updated_at: later(n).toISOString(),
  version: 1,
});

const health = new Map(connections.map(({ id }, n) => [id, pick(STATUSES, n)]));
const candidates = candidatesOf(connections, ({ id }) => ({ health: health.get(id) ?? 'unknown' }));

function decide(rules: readonly RoutingRule[], n: number): RoutingPlan {
  const payment = {
    id: `pay_${n}`,
    customer_id: null,
    mode: 'sandbox',
    method: 'card',
    currency: 'EUR',
    country: pick(countries, n),
    amount: 100 + n,
  } as const;
  return planRouting(payment, candidates, { rules, tests: [] }, later(0));
}

const ORGANIZATION = {
  id: ORG,
  name: 'Shop',
  legal_name: 'Shop Ltd',
  kyc: 'approved',
  plan: 'scale',
  created_at: later(0).toISOString(),
} as const;

/** The setup of an organization with so many rules: the units and calls of reading it. */
async function readCost(count: number): Promise<string> {
  const table = new SqliteTable({ database: openDatabase(':memory:') });
  const rules = Array.from({ length: count }, (_, n) => rule(n));
  await storeSetup(table, ORG, { organization: ORGANIZATION, connections, rules });
  await table.put({ ...keys.routingSummary(ORG), item_type: 'routing_summary' });
  await new OrganizationRepo(table).routingData(ORG);
  const costs: Cost[] = [];
  const counted = countedTable(table, () => (cost) => void costs.push(cost));
  await new OrganizationRepo(counted).routingData(ORG);
  return `${costs.length} calls, ${costs.reduce((sum, { rru }) => sum + rru, 0)} read units`;
}

for (const count of [0, 10, 100, 500]) {
  const rules = Array.from({ length: count }, (_, n) => rule(n));
  for (let n = 0; n < 2_000; n += 1) decide(rules, n);
  const times: number[] = [];
  let byRule = 0;
  for (let n = 0; n < DECISIONS; n += 1) {
    const begun = performance.now();
    const { note } = decide(rules, n);
    times.push(performance.now() - begun);
    if (note.rule_id !== undefined) byRule += 1;
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(3)} ms`;
  console.log(
    `${CONNECTIONS} connections, ${String(count).padStart(3)} rules: p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}; ${Math.round((100 * byRule) / DECISIONS)} % by a rule; setup: ${await readCost(count)}`,
  );
}
