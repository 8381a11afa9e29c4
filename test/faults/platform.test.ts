import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TablePort, Write } from '#shared/store/table/table.port.ts';
import { crashPointsOf, describePoint, expireLease, retryUntilDone } from '#test/faults/crash-sweep.support.ts';
import { type ApiResponse, anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { changed } from '#test/support/memory-store.ts';
import { prove, type SignedInUser, signIn } from '#test/support/people.ts';

/** An action and its audit entry exist together or not at all, and once, wherever the process crashes. */
let host: TestHost;
let owner: SignedInUser;
let meetings: (() => Promise<void>)[] = [];
beforeAll(async () => {
  host = await startHost({ wrapTable: (table) => meetingTable(table) });
  owner = await signIn(host, host.info.owner_email);
});
afterAll(() => host?.close());

/** The clock of these tests moves by more than a proof lasts. */
const proveOwner = () => prove(host, owner);
beforeEach(proveOwner);

/** For two concurrent actions: both have read what they decide on before either writes. */
function meetingTable(table: TablePort): TablePort {
  const touchesAdmins = (writes: readonly Write[]) =>
    writes.some((write) => JSON.stringify(write).includes('"PLATFORM"'));
  return changed(table, {
    transact: async (writes, token) => {
      if (touchesAdmins(writes)) await meetings.shift()?.();
      return table.transact(writes, token);
    },
  });
}

let count = 0;
const someone = () => signIn(host, `crash-${++count}@example.com`);
const approve = (org_id: string, idempotencyKey: string) =>
  owner.call('POST', '/v1/platform/kyc/approve', { org_id }, { idempotencyKey });
const save = (email: string, role: string, idempotencyKey: string = randomUUID()) =>
  owner.call('POST', '/v1/platform/admins', { email, role }, { idempotencyKey });
const remove = ({ call }: SignedInUser, id: string, idempotencyKey: string = randomUUID()) =>
  call('DELETE', `/v1/platform/admins/${id}`, undefined, { idempotencyKey });
const told = async (id: string): Promise<string[]> =>
  (await owner.call('GET', '/v1/platform/audit?limit=200')).body.entries
    .filter(({ target }: Body) => target.id === id)
    .map(({ action }: Body) => action);
const roleOf = async ({ call }: SignedInUser): Promise<Body> => (await call('GET', '/v1/platform/me')).body.role;
const kycOf = async (id: string): Promise<Body> =>
  (await owner.call('GET', '/v1/platform/organizations?limit=200')).body.organizations.find(
    (each: Body) => each.id === id,
  ).kyc;

async function anOrganizationOf(legal_name: string) {
  const { org_id } = await anOrganization(host, { legal_name, kyc: 'pending' });
  return { org_id, organization: (await host.deps.organizations.byId(org_id))! };
}

type Act = {
  readonly of: string;
  readonly done: Body;
  readonly entries: readonly string[];
  /** The subject of the action, and its state. */
  readonly begin: () => Promise<{
    readonly id: string;
    readonly send: (key: string) => Promise<ApiResponse>;
    readonly state: () => Promise<Body>;
  }>;
};

const ACTS: readonly Act[] = [
  {
    of: 'an approval',
    done: 'approved',
    entries: ['kyc_approved'],
    begin: async () => {
      const { org_id: id } = await anOrganization(host, { kyc: 'pending' });
      return { id, send: (key) => approve(id, key), state: () => kycOf(id) };
    },
  },
  {
    of: 'adding an administrator',
    done: 'platform_admin',
    entries: ['admin_added'],
    begin: async () => {
      const person = await someone();
      return {
        id: person.user.id,
        send: (key) => save(person.user.email, 'platform_admin', key),
        state: () => roleOf(person),
      };
    },
  },
  {
    of: 'adding an address without a user',
    done: 'platform_admin',
    entries: ['admin_added'],
    begin: async () => {
      const email = `never-${++count}@example.com`;
      const listed = async () =>
        (await owner.call('GET', '/v1/platform/admins?limit=200')).body.admins.find(
          (each: Body) => each.email === email,
        );
      return {
        id: host.deps.users.idFor(email),
        send: (key) => save(email, 'platform_admin', key),
        state: async () => (await listed())?.role ?? null,
      };
    },
  },
  {
    of: 'removing an owner',
    done: null,
    entries: ['admin_removed', 'admin_added'],
    begin: async () => {
      const person = await someone();
      await save(person.user.email, 'platform_owner');
      return { id: person.user.id, send: (key) => remove(owner, person.user.id, key), state: () => roleOf(person) };
    },
  },
];

describe.each(ACTS)('a crash at any point of $of', ({ begin, done, entries }) => {
  it('leaves it done with its audit entry, or neither; a repeat completes it and writes one entry', async () => {
    const probe = await begin();
    const points = await crashPointsOf(host, 'platform', () => probe.send(randomUUID()));
    expect(points.map(({ method }) => method)).toContain('transact');
    for (const { point, nth, when, method } of points) {
      await proveOwner();
      const [{ id, send, state }, key, where] = [
        await begin(),
        randomUUID(),
        describePoint({ point, nth, when, method }),
      ];
      const untouched = await state();
      await host.control('POST', '/faults', { point, nth, kind: 'crash', when, handler: 'platform' });
      expect((await send(key)).status, where).toBe(503);
      const isDone = (await told(id)).length === entries.length;
      expect(await state(), where).toBe(isDone ? done : untouched);
      await expireLease(host);
      await proveOwner();
      expect((await retryUntilDone(host, () => send(key))).status, where).toBeLessThan(300);
      expect([await state(), await told(id)], where).toEqual([done, entries]);
    }
  }, 120_000);
});

describe('an administrator who loses the role while a request is running', () => {
  const call = (how: string, path: string, body?: Body) => (by: SignedInUser) =>
    by.call(how, `/v1/platform/${path}`, body);
  const lowered = ({ user }: SignedInUser) => save(user.email, 'platform_admin');
  const removed = ({ user }: SignedInUser) => remove(owner, user.id);

  it.each<[string, string, (by: SignedInUser) => Promise<ApiResponse>, (who: SignedInUser) => Promise<ApiResponse>]>([
    [
      'approve a KYC review',
      'platform_admin',
      (by) => call('POST', 'kyc/approve', { org_id: host.info.org_id })(by),
      removed,
    ],
    [
      'reject a KYC review',
      'platform_admin',
      (by) => call('POST', 'kyc/reject', { org_id: host.info.org_id, reason: 'x' })(by),
      removed,
    ],
    [
      'set a plan',
      'platform_admin',
      (by) => call('POST', `organizations/${host.info.org_id}/plan`, { plan: 'free' })(by),
      removed,
    ],
    [
      'make somebody an owner',
      'platform_owner',
      call('POST', 'admins', { email: 'friend@example.com', role: 'platform_owner' }),
      lowered,
    ],
    ['remove an owner', 'platform_owner', (by) => call('DELETE', `admins/${owner.user.id}`)(by), removed],
    ['resign', 'platform_owner', (by) => call('DELETE', `admins/${by.user.id}`)(by), lowered],
  ])('can no longer %s', async (_, role, act, lose) => {
    const person = await someone();
    await save(person.user.email, role);
    const before = (await owner.call('GET', '/v1/platform/admins?limit=200')).body.admins;
    meetings = [async () => void (await lose(person))];
    const { status, body } = await act(person);
    expect([meetings, status, body.code]).toEqual([[], 403, 'missing_role']);
    const { entries } = (await owner.call('GET', '/v1/platform/audit?limit=2')).body;
    expect(entries.map(({ actor_id, target }: Body) => [actor_id, target.id])).toEqual(
      Array(2).fill([owner.user.id, person.user.id]),
    );
    const others = ({ admins }: Body) => admins.filter(({ id }: Body) => id !== person.user.id);
    expect(others((await owner.call('GET', '/v1/platform/admins?limit=200')).body)).toEqual(others({ admins: before }));
    await remove(owner, person.user.id);
  });
});

it('an approval is refused if the legal name changes before it is written', async () => {
  const { org_id, organization } = await anOrganizationOf('Good Ltd');
  meetings = [
    async () =>
      void (await host.deps.organizations.change(organization, { ...organization, legal_name: 'Other GmbH' })),
  ];
  const answer = await owner.call('POST', '/v1/platform/kyc/approve', { org_id, legal_name: 'Good Ltd' });
  expect([meetings, answer.status, answer.body.code, await kycOf(org_id)]).toEqual([
    [],
    409,
    'legal_name_changed',
    'pending',
  ]);
});

/** The first to write waits for the second: by then both have read. */
function arrangeMeeting(): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  meetings = [() => promise, async () => resolve()];
}

it('two of three owners who remove each other at the same moment leave two owners', async () => {
  const [one, other] = [await someone(), await someone()];
  for (const { user } of [one, other]) await save(user.email, 'platform_owner');
  arrangeMeeting();
  const answers = await Promise.all([remove(one, other.user.id), remove(other, one.user.id)]);
  expect([meetings, answers.map(({ status, body }) => body.code ?? status).sort()]).toEqual([
    [],
    [200, 'missing_role'],
  ]);
  const roles = [await roleOf(one), await roleOf(other)];
  expect(roles.filter((role) => role === 'platform_owner')).toHaveLength(1);
  await remove(owner, (roles[0] ? one : other).user.id);
});

describe('the last owner', () => {
  it.each<[string, string, (one: SignedInUser, other: SignedInUser) => Promise<ApiResponse>]>([
    ['removes the other', 'missing_role', (one, other) => remove(one, other.user.id)],
    [
      'demotes the other',
      'missing_role',
      (one, other) => one.call('POST', '/v1/platform/admins', { email: other.user.email, role: 'platform_admin' }),
    ],
    ['resigns', 'last_platform_owner', (one) => remove(one, one.user.id)],
  ])('remains when each of two %s at the same moment', async (_, refused, act) => {
    const other = await someone();
    await save(other.user.email, 'platform_owner');
    arrangeMeeting();
    const answers = await Promise.all([act(owner, other), act(other, owner)]);
    expect(meetings).toEqual([]);
    expect(answers.map(({ status, body }) => body.code ?? Math.floor(status / 100)).sort()).toEqual([2, refused]);
    const roles = [await roleOf(owner), await roleOf(other)];
    expect(roles.filter((role) => role === 'platform_owner')).toHaveLength(1);
    if (roles[0] !== 'platform_owner')
      await other.call('POST', '/v1/platform/admins', { email: owner.user.email, role: 'platform_owner' });
    await remove(owner, other.user.id);
  });
});
