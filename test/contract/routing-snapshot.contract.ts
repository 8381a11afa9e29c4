import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { COUNTRIES } from '#shared/domain/reference/countries.catalog.ts';
import type { Connection, RoutedConnection } from '#shared/domain/routing/connection.model.ts';
import { NO_POLICY } from '#shared/domain/routing/fraud-policy.model.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import { snapshotOf } from '#shared/domain/routing/routing-snapshot.rules.ts';
import { SETUP_LIMITS } from '#shared/domain/routing/setup-limits.rules.ts';
import { HOUR, systemClock } from '#shared/kernel/clock.ts';
import { idFrom } from '#shared/kernel/ids.ts';
import { PROVIDERS, PSPS } from '#shared/psp/providers.ts';
import { keys, ranges } from '#shared/store/keys.ts';
import { queryAll } from '#shared/store/read-all.ts';
import { OrganizationRepo } from '#shared/store/repos/accounts/organization.repo.ts';
import { AbTestRepo } from '#shared/store/repos/routing/ab-test.repo.ts';
import { ConnectionRepo } from '#shared/store/repos/routing/connection.repo.ts';
import { FraudPolicyRepo } from '#shared/store/repos/routing/fraud-policy.repo.ts';
import { RoutingRuleRepo } from '#shared/store/repos/routing/routing-rule.repo.ts';
import { decodeSnapshot } from '#shared/store/repos/routing/routing-snapshot.entity.ts';
import { RoutingSnapshots } from '#shared/store/repos/routing/routing-snapshots.ts';
import { toSetup } from '#shared/store/repos/routing/setup.entity.ts';
import { itemSize } from '#shared/store/table/item.rules.ts';
import { TableError, type TablePort } from '#shared/store/table/table.port.ts';
import { anAbTest, aVariant } from '#test/support/ab-test.builder.ts';
import { changed, times } from '#test/support/memory-store.ts';
import { aConnection } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';
import { storeSetup } from '#test/support/stored-setup.ts';

const COUNTRY_NAMES = [...COUNTRIES];
/** Bits that compress as badly as the real, random ones. */
const bits = (n: number): Buffer => createHash('sha256').update(String(n)).digest();
const ruleId = (n: number): string => idFrom('rule', later(n * 60_000), bits(n + 1));
const orgId = (n: number): string => idFrom('organization', later(n), bits(n + 7));

function aRule(org_id: string, n: number, about: Partial<RoutingRule> = {}): RoutingRule {
  const at = later(n * 60_000).toISOString();
  return {
    id: ruleId(n),
    org_id,
    name: `Rule ${n}`,
    countries: Array.from({ length: 3 }, (_, k) => COUNTRY_NAMES[(n * 7 + k) % COUNTRY_NAMES.length] ?? 'DE'),
    methods: n % 3 === 0 ? [] : ['card', 'ideal'],
    connection_id: 'conn_a',
    priority: n % 10,
    fallback_to_default: n % 2 === 0,
    enabled: true,
    created_at: at,
    updated_at: at,
    version: 1,
    ...about,
  };
}

/** With everything that a provider supports, and credentials as long as sealed ones are. */
function aUsualConnection(org_id: string, n: number): Connection {
  const provider = PROVIDERS[n % PROVIDERS.length] ?? 'stripe';
  const capabilities = PSPS[provider]?.capabilities ?? {};
  return aConnection({ id: `account_${n}`, org_id, provider, capabilities, sealed_credentials: 'x'.repeat(900) });
}

/** The setup of an organization, its changes and the snapshot, on any store. */
export function routingSnapshots(store: string, open: () => Promise<TablePort>): void {
  describe(`the routing snapshot on ${store}`, () => {
    let table: TablePort;
    beforeAll(async () => {
      table = await open();
    });
    let count = 0;

    async function anOrganization(about: Partial<Organization> = {}, connections = [aConnection()]) {
      count += 1;
      const id = orgId(count);
      const organization: Organization = {
        id,
        name: 'Shop',
        legal_name: 'Shop Ltd',
        kyc: 'approved',
        plan: 'scale',
        created_at: START.toISOString(),
        ...about,
      };
      const own = connections.map((each) => ({ ...each, org_id: id }));
      await storeSetup(table, id, { organization, connections: own });
      return { id, organization };
    }
    const routing = (id: string) => new OrganizationRepo(table).routingData(id);
    const rules = () => new RoutingRuleRepo(table);
    const namesOf = async (id: string) => (await routing(id)).rules.map((rule) => rule.id);
    const storedCopies = async (id: string) => {
      const items = await Promise.all(
        Array.from({ length: 6 }, (_, n) => table.get(keys.routingSnapshot(id, n), { consistent: true })),
      );
      return items.flatMap((item) => (item ? [item] : []));
    };

    /** Every copy says what the items say. */
    async function expectAgreement(id: string): Promise<void> {
      const items = await queryAll(table, { ...ranges.routingSetup(id), limit: 1_000, consistent: true });
      const fromItems = JSON.parse(JSON.stringify(snapshotOf(toSetup(items))));
      const copies = await storedCopies(id);
      expect(copies.length).toBeGreaterThan(0);
      for (const copy of copies) expect(decodeSnapshot(copy)).toEqual(fromItems);
    }

    it('of an organization of an older release is made by its first payment, and by no stranger', async () => {
      const { id, organization } = await anOrganization();
      expect(await storedCopies(id)).toEqual([]);
      expect(await routing(id)).toMatchObject({ organization, connections: [{ id: 'conn_a' }] });
      await expectAgreement(id);
      const nobody = orgId(999);
      expect(await routing(nobody)).toMatchObject({ connections: [], rules: [] });
      expect(await storedCopies(nobody)).toEqual([]);
    });

    it('has no credentials, and a rule as soon as it is stored', async () => {
      const { id } = await anOrganization();
      const [connection] = (await routing(id)).connections;
      expect(JSON.stringify(connection)).not.toContain('sealed');
      const readers = [new OrganizationRepo(table), new OrganizationRepo(table)];
      const read = async () => (await Promise.all(readers.map((each) => each.routingData(id)))).map((r) => r.rules);
      expect(await read()).toEqual([[], []]);
      const rule = aRule(id, 1);
      await rules().create(rule);
      expect(await read()).toMatchObject([[{ id: rule.id, priority: 1 }], [{ id: rule.id, priority: 1 }]]);
      await rules().replace(rule, { ...rule, priority: 7, version: 2 });
      expect(await read()).toMatchObject([[{ priority: 7 }], [{ priority: 7 }]]);
      await rules().remove({ ...rule, version: 2 });
      expect(await read()).toEqual([[], []]);
      await expectAgreement(id);
    });

    it('has a disabled rule only while a test runs that names it', async () => {
      const { id } = await anOrganization();
      for (const n of [1, 2, 3]) await rules().create(aRule(id, n, { enabled: n === 3 }));
      expect(await namesOf(id)).toEqual([ruleId(3)]);
      const variants = [1, 2].map((n) => ({ ...aVariant(`V${n}`), routing_rule_id: ruleId(n) }));
      const draft = await new AbTestRepo(table).create(anAbTest({ org_id: id, variants }));
      const running = { ...draft, status: 'running', started_at: START.toISOString(), version: 2 } as const;
      const { tests, version } = await new AbTestRepo(table).running(id);
      expect(await new AbTestRepo(table).replace(draft, running, { tests: [...tests, running], version })).toBe('done');
      expect([await namesOf(id), (await routing(id)).tests.length]).toEqual([[1, 2, 3].map(ruleId), 1]);
      await expectAgreement(id);
    });

    it('has the organization with its latest names, settings and fraud policy', async () => {
      const { id, organization } = await anOrganization();
      const organizations = new OrganizationRepo(table);
      const names = { name: 'Renamed', legal_name: 'Shop Ltd', kyc: 'pending', renamed_by: 'user_1' } as const;
      expect(await organizations.change(organization, names)).toBe(true);
      const settings = { receipt_language: 'de', email_receipts: true } as Organization['settings'];
      expect(await organizations.changeSettings({ ...organization, ...names }, settings as never)).toBe(true);
      const policy = { ...NO_POLICY, enabled: true, version: 1 };
      expect(await new FraudPolicyRepo(table).save(id, undefined, policy)).toBe(true);
      expect(await routing(id)).toMatchObject({ organization: { ...names, settings }, fraud: policy });
      expect(await organizations.change(organization, names)).toBe(false);
      await expectAgreement(id);
    });

    it('is one read unit for a usual organization, and at most 128 KB for a large one', async () => {
      const { id } = await anOrganization(
        {},
        [0, 1, 2].map((n) => aUsualConnection('', n)),
      );
      for (const n of [1, 2, 3, 4, 5]) await rules().create(aRule(id, n, { connection_id: 'account_1' }));
      const [usual] = await storedCopies(id);
      expect(usual && itemSize(usual)).toBeLessThanOrEqual(4_096);

      const connections = Array.from({ length: SETUP_LIMITS.connections }, (_, n) => aUsualConnection(id, n));
      const many = Array.from({ length: SETUP_LIMITS.rules }, (_, n) =>
        aRule(id, n, { connection_id: `account_${n % connections.length}` }),
      );
      await storeSetup(table, id, { connections, rules: many });
      expect([(await routing(id)).rules.length, (await routing(id)).connections.length]).toEqual([500, 50]);
      const [large] = await storedCopies(id);
      expect(large && itemSize(large)).toBeLessThanOrEqual(SETUP_LIMITS.snapshotBytes);
    });

    it('loses no change of many at once, and takes exactly as many rules as fit', async () => {
      const { id } = await anOrganization();
      const stored = Array.from({ length: SETUP_LIMITS.rules - 5 }, (_, n) => aRule(id, n));
      await storeSetup(table, id, { rules: stored });
      const created = await times(20, (n) =>
        rules()
          .create(aRule(id, 1_000 + n))
          .catch((error: { code?: string }) => error.code),
      );
      const refused = created.filter((each) => each === 'setup_limit_reached');
      expect([refused.length, created.filter((each) => each === 'done').length]).toEqual([15, 5]);
      expect((await rules().list(id)).length).toBe(SETUP_LIMITS.rules);
      await expectAgreement(id);
    }, 60_000);

    it('takes exactly as many connections as fit, of many at once', async () => {
      const { id } = await anOrganization();
      const connections = Array.from({ length: SETUP_LIMITS.connections - 4 }, (_, n) =>
        aConnection({ id: `account_${n}`, org_id: id }),
      );
      await storeSetup(table, id, { connections });
      const repo = new ConnectionRepo(table);
      const saved = await times(20, (n) =>
        repo.save(aConnection({ id: `new_${n}`, org_id: id })).catch((error: { code?: string }) => error.code),
      );
      expect(saved.filter((each) => each === true).length).toBe(3);
      expect((await repo.list(id)).length).toBe(SETUP_LIMITS.connections);
      await expectAgreement(id);
    }, 60_000);

    /** Some 4.3 KB of the snapshot, as its random text hardly compresses. */
    const aLargeRule = (id: string, n: number, about: Partial<RoutingRule> = {}) =>
      aRule(id, n, {
        methods: Array.from({ length: 100 }, (_, k) => bits(n * 977 + k).toString('hex')),
        ...about,
      });
    const codeOf = (error: { code?: string }) => error.code;

    it('never exceeds its size, of many large rules at once', async () => {
      const { id } = await anOrganization();
      await storeSetup(table, id, { rules: Array.from({ length: 24 }, (_, n) => aLargeRule(id, n)) });
      const created = await times(20, (n) =>
        rules()
          .create(aLargeRule(id, 100 + n))
          .catch(codeOf),
      );
      expect(new Set(created)).toEqual(new Set(['done', 'setup_limit_reached']));
      const [stored] = await storedCopies(id);
      expect(String(stored?.text).length).toBeLessThanOrEqual(SETUP_LIMITS.snapshotBytes);
      await expect(rules().create(aLargeRule(id, 200))).rejects.toMatchObject({
        details: { metric: 'snapshot_bytes', limit: String(SETUP_LIMITS.snapshotBytes) },
      });
      await expectAgreement(id);
    }, 60_000);

    it('of a setup that was too large before there was a limit is not stored, and takes what makes it smaller', async () => {
      const { id } = await anOrganization();
      const large = Array.from({ length: 60 }, (_, n) => aLargeRule(id, n));
      await storeSetup(table, id, { rules: large });
      expect((await namesOf(id)).length).toBe(60);
      expect(await rules().create(aRule(id, 500)).catch(codeOf)).toBe('setup_limit_reached');
      const [first, ...others] = large as [RoutingRule, ...RoutingRule[]];
      expect(await rules().replace(first, { ...first, name: 'Other name', version: 2 })).toBe('done');
      expect((await storedCopies(id)).map(({ version, text }) => [version, text])).toEqual([[2, undefined]]);
      for (const rule of others.slice(0, 20)) expect(await rules().remove(rule)).toBe('done');
      expect((await namesOf(id)).length).toBe(40);
      await expectAgreement(id);
    }, 60_000);

    it('is made once while the first payments and changes come at once', async () => {
      const { id } = await anOrganization();
      const [created] = await Promise.all([
        times(6, (n) => rules().create(aRule(id, n))),
        times(12, () => routing(id)),
      ]);
      expect(created).toEqual(Array.from({ length: 6 }, () => 'done'));
      expect((await namesOf(id)).toSorted()).toEqual(Array.from({ length: 6 }, (_, n) => ruleId(n)).toSorted());
      await expectAgreement(id);
    }, 60_000);

    it('is read though it cannot be stored', async () => {
      const { id } = await anOrganization();
      const full = changed(table, { transact: () => table.transact([], 'no writes are invalid') });
      expect((await new OrganizationRepo(full).routingData(id)).connections).toMatchObject([{ id: 'conn_a' }]);
      expect(await storedCopies(id)).toEqual([]);
    });

    it('is made anew where a process meets one of an hour ago, as an earlier release that was put back changes only the items', async () => {
      const { id } = await anOrganization({ capacity: { routing_copies: 2 } as never });
      expect((await routing(id)).connections).toMatchObject([{ status: 'active' }]);
      const change = { set: { status: 'inactive' }, add: { version: 1 } } as const;
      await table.update(keys.connection(id, 'conn_a'), change);
      for (const n of [0, 1])
        await table.update(keys.routingSnapshot(id, n), {
          set: { checked_at: systemClock.now().getTime() - HOUR - 1 },
        });
      const unreadable = changed(table, {
        query: () => Promise.reject(new TableError('throttled', 'not_done', 'Later.')),
      });
      expect(await new RoutingSnapshots(unreadable).read(id)).toMatchObject({ connections: [{ status: 'active' }] });
      expect((await routing(id)).connections).toMatchObject([{ status: 'inactive' }]);
      expect((await storedCopies(id)).map(({ version }) => version)).toEqual([2, 2]);
      await expectAgreement(id);
    });

    it('has a change that was stored though its first answers were lost, and the change counts once', async () => {
      const { id } = await anOrganization();
      const tokens: string[] = [];
      const lossy = changed(table, {
        transact: async (writes, token) => {
          tokens.push(token);
          const written = await table.transact(writes, token);
          if (tokens.length < 3) throw new TableError('conflict', 'unknown', 'The transaction is in progress.');
          return written;
        },
      });
      expect(await new RoutingRuleRepo(lossy).create(aRule(id, 1))).toBe('done');
      expect([tokens.length, new Set(tokens).size]).toEqual([3, 1]);
      const item = await table.get(keys.connection(id, 'conn_a'), { consistent: true });
      expect(item?.used_by_rules).toBe(1);
      await expectAgreement(id);
    });

    it('leads to the credentials that a connection had then, however late a read is, and not to another account', async () => {
      const { id } = await anOrganization();
      const repo = new ConnectionRepo(table);
      const connection = aConnection({
        org_id: id,
        credentials_mark: 'one',
        sealed_credentials: 'sealed one',
        version: 2,
      });
      await repo.save(connection);
      const [routed] = (await routing(id)).connections as [RoutedConnection];
      const old = await table.get(keys.connection(id, 'conn_a'));
      const former = {
        mark: 'one',
        sealed_credentials: 'sealed one',
        from: START.toISOString(),
        until: later(9e9).toISOString(),
      };
      const replaced = {
        ...connection,
        credentials_mark: 'two',
        sealed_credentials: 'sealed two',
        former: [former],
        version: 3,
      };
      await repo.save(replaced);
      const [now] = (await routing(id)).connections as [RoutedConnection];
      const lateTable = changed(table, { get: async (key, how) => (how?.consistent ? table.get(key, how) : old) });
      /** By a process that has read none of them yet, on time and late. */
      const found = (of: RoutedConnection) =>
        Promise.all([table, lateTable].map((each) => new ConnectionRepo(each).withCredentials(of)));
      const sealed = async (of: RoutedConnection) => (await found(of)).map((each) => each?.sealed_credentials);
      expect([await sealed(routed), await sealed(now)]).toEqual([
        ['sealed one', 'sealed one'],
        ['sealed two', 'sealed two'],
      ]);
      expect(await repo.save({ ...replaced, deleted_at: START.toISOString(), version: 4 })).toBe(true);
      expect(await found(now)).toEqual([undefined, undefined]);
      await repo.save({ ...replaced, generation: 2, version: 5 });
      expect(await found(now)).toEqual([undefined, undefined]);
    });

    it('has as many equal copies as the organization needs, and readers that know of more or fewer', async () => {
      const { id, organization } = await anOrganization();
      const setCopies = async (routing_copies: number) => {
        await storeSetup(table, id, { organization: { ...organization, capacity: { routing_copies } } });
        await new OrganizationRepo(table).routingData(id);
      };
      const early = new OrganizationRepo(table);
      expect((await early.routingData(id)).rules).toEqual([]);
      expect((await storedCopies(id)).length).toBe(1);
      await setCopies(4);
      await rules().create(aRule(id, 1));
      expect((await storedCopies(id)).length).toBe(4);
      await expectAgreement(id);
      const read = async () => (await times(12, () => early.routingData(id))).map((each) => each.rules.length);
      expect(new Set(await read())).toEqual(new Set([1]));
      await rules().create(aRule(id, 2));
      expect(new Set(await read())).toEqual(new Set([2]));
    });
  });
}
