import { describe, expect, it } from 'vitest';
import { setCapacity, setRate } from '#functions/platform/organizations.usecase.ts';
import { CAPACITY_LEAD, listShardsAt } from '#shared/domain/accounts/capacity.rules.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import { type Operation, unkeyedOperation } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import { keys } from '#shared/store/keys.ts';
import { ApiKeyRepo } from '#shared/store/repos/accounts/api-key.repo.ts';
import { OrganizationRepo } from '#shared/store/repos/accounts/organization.repo.ts';
import { PlatformRepo } from '#shared/store/repos/accounts/platform.repo.ts';
import { UserRepo } from '#shared/store/repos/accounts/user.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { START, stoppedClock } from '#test/support/stopped-clock.ts';

const ADMIN = { user_id: 'user_admin', email: 'admin@payfork.example', role: 'platform_admin' } as const;
const HASHES = { hashSecret: 'a secret for hashes' };

/** A platform with one administrator and one organization. */
async function platform() {
  const table = new SqliteTable({ database: openDatabase(':memory:') });
  await table.put({ ...keys.platformAdmin(ADMIN.user_id), ...ADMIN, created_at: START.toISOString() });
  const clock = stoppedClock();
  const deps = {
    clock,
    organizations: new OrganizationRepo(table),
    platform: new PlatformRepo(table, HASHES),
    keys: new ApiKeyRepo(table, true),
    users: new UserRepo(table, HASHES),
  };
  const names = { name: 'Shop', legal_name: 'Shop Ltd' };
  const { id } = await deps.organizations.create({
    ...names,
    id: ORG,
    kyc: 'approved',
    plan: 'scale',
    created_at: START.toISOString(),
  });
  const person = { userId: ADMIN.user_id, email: ADMIN.email, platformRole: ADMIN.role };
  const by = (operation: Operation) => ({ operation, person }) as unknown as Caller;
  return { clock, deps, by, id, stored: async () => (await deps.organizations.byId(id))! };
}

describe('the capacity of an organization', () => {
  it('is used a minute after it is stored, also if the request that stores it began long before', async () => {
    const { clock, deps, by, id, stored } = await platform();
    const operation = unkeyedOperation(clock.now());
    clock.pass(10 * MINUTE);
    await setCapacity({ id, list_shards: 16 }, by(operation), deps);
    const { capacity } = await stored();
    const waits = [0, CAPACITY_LEAD - 1, CAPACITY_LEAD];
    expect(waits.map((ms) => listShardsAt(capacity, plus(clock.now(), ms)))).toEqual([4, 4, 16]);
  });
});

describe('two changes of rate limits at once', () => {
  it('are both in the audit log with the limits that they replaced', async () => {
    const { clock, deps, by, id, stored } = await platform();
    const change = (payments: number) =>
      setRate({ id, payments, writes: 200, reads: 600 }, by(unkeyedOperation(clock.now())), deps);
    await Promise.all([change(1_000), change(2_000)]);
    const { items } = await deps.platform.auditEntries({ limit: 9, offset: 0 });
    const steps = items.flatMap(({ metadata }) => metadata.changes['rate.payments'] ?? []);
    const last = String((await stored()).rate?.payments);
    const first = last === '1000' ? '2000' : '1000';
    const wanted = [
      { from: '100', to: first },
      { from: first, to: last },
    ];
    expect(steps.toSorted((a, b) => Number(a.from) - Number(b.from))).toEqual(wanted);
  });
});
