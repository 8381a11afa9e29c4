import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCursor } from '#shared/http/schema/common.schema.ts';
import { idFrom } from '#shared/kernel/ids.ts';
import { organizationItem } from '#shared/store/repos/accounts/organization.entity.ts';
import { auditItem } from '#shared/store/repos/accounts/platform.repo.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { unitLedger } from '#test/bench/unit-ledger.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { type SignedInUser, signIn } from '#test/support/people.ts';

/** Counts read units of DynamoDB for each call, whatever the store. */
const MANY = 1_200;
const EACH_PENDING = 40;
const at = (n: number): Date => new Date(Date.UTC(2026, 0, 1) + n * 60_000);
const bits = (n: number): Buffer => Buffer.from(String(n).padStart(10, '0'));
const orgId = (n: number): string => idFrom('organization', at(n), bits(n));
const place = (n: number): string => `${at(n).toISOString()}#${orgId(n)}`;

const ledger = unitLedger();
let bare: TablePort;
let host: TestHost;
let owner: SignedInUser;

beforeAll(async () => {
  host = await startHost({
    wrapTable: (table) => {
      bare = table;
      return ledger.through(table);
    },
  });
  owner = await signIn(host, host.info.owner_email);
  const put = async (n: number) => {
    const [created_at, kyc] = [at(n).toISOString(), n % EACH_PENDING === 0 ? 'pending' : 'approved'] as const;
    await bare.put(
      organizationItem({ id: orgId(n), name: `Shop ${n}`, legal_name: `Shop ${n} Ltd`, kyc, plan: 'free', created_at }),
    );
    const target = { type: 'organization', id: orgId(n), name: `Shop ${n}` } as const;
    const [actor, changes] = [
      { actor_id: owner.user.id, actor_email: owner.user.email },
      { kyc: { from: 'pending', to: kyc } },
    ];
    await bare.put(
      auditItem({
        id: idFrom('act', at(n), bits(n)),
        ...actor,
        action: 'kyc_approved',
        target,
        metadata: { changes, reason: null },
        created_at,
      }),
    );
  };
  for (let n = 0; n < MANY; n += 100) await Promise.all(Array.from({ length: 100 }, (_, each) => put(n + each)));
});
afterAll(() => host?.close());

async function readPage(path: string) {
  let response: Awaited<ReturnType<TestHost['call']>> | undefined;
  const { lines } = await ledger.of(host, async () => {
    response = await owner.call('GET', `/v1/platform/${path}`);
  });
  // A sweep may begin in between.
  return { rru: lines.reduce((sum, line) => sum + (line.group === 'timers' ? 0 : line.rru), 0), body: response!.body };
}

describe.each<[string, (n: number) => string, (n: number) => number]>([
  ['organizations', (n) => `organizations?limit=25&cursor=${writeCursor(place(n))}`, (n) => n - 1],
  [
    'organizations with one KYC status',
    (n) => `organizations?limit=5&kyc=pending&cursor=${writeCursor(place(n))}`,
    (n) => n - EACH_PENDING,
  ],
  ['audit entries', (n) => `audit?limit=25&cursor=${writeCursor(idFrom('act', at(n), bits(n)))}`, (n) => n - 1],
])('a page of %s', (_, path, next) => {
  it('reads the same amount, however deep the page is', async () => {
    const units: number[] = [];
    for (const n of [MANY - EACH_PENDING, 720, 320]) {
      const { rru, body } = await readPage(path(n));
      const first = (body.organizations ?? body.entries.map(({ target }: { target: object }) => target))[0];
      expect(first.id).toBe(orgId(next(n)));
      units.push(rru);
    }
    // Organizations are spread over shards by chance, so a page may need a call more or less.
    expect(Math.max(...units) - Math.min(...units)).toBeLessThanOrEqual(3);
    expect(Math.max(...units)).toBeLessThan(45);
  });
});
