import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { crashPointsOf, describePoint, expireLease, retryUntilDone } from '#test/faults/crash-sweep.support.ts';
import { type ApiResponse, startHost, type TestHost } from '#test/support/host.ts';
import {
  acceptInvitation,
  aMember,
  anOwner,
  invitationsTo,
  membersOf,
  newEmail,
  type OrganizationUser,
} from '#test/support/members.ts';
import { changed } from '#test/support/memory-store.ts';

/**
 * A process that crashes at any point: a repeat with the same key gets the response, the action takes effect once,
 * and no membership is incomplete.
 */
let host: TestHost;
let owner: OrganizationUser;
/** Runs right before the next change of members is written. */
let meanwhile: (() => Promise<unknown>) | undefined;
beforeAll(async () => {
  host = await startHost({
    wrapTable: (table) =>
      changed(table, {
        transact: async (writes, token) => {
          const happens = JSON.stringify(writes).includes('MEMBERS#') ? meanwhile : undefined;
          if (happens) meanwhile = undefined;
          await happens?.();
          return table.transact(writes, token);
        },
      }),
  });
});
beforeEach(async () => {
  owner = await anOwner(host);
});
afterAll(() => host?.close());

type Send = (idempotencyKey: string) => Promise<ApiResponse>;
/** The requests, each time for another user, and the expected results. */
type Trial = { readonly send: Send; readonly check: (answer: ApiResponse, where: string) => Promise<void> };

/** Both records of each membership, and the count of owners. */
async function consistent(where: string): Promise<void> {
  const { members, users } = host.deps;
  const listed = await members.list(owner.org);
  const owners = listed.filter(({ role, joined_at }) => role === 'owner' && joined_at !== null).length;
  expect(await members.count(owner.org), where).toEqual({ members: listed.length, owners });
  for (const member of listed) expect(await users.membership(member.user_id, owner.org), where).toEqual(member);
}

/** No fault hits the mailer itself, only the calls around it. */
async function sweep(make: () => Promise<Trial>): Promise<number> {
  const sample = await make();
  const points = (await crashPointsOf(host, 'organizations', () => sample.send(randomUUID()))).filter(
    ({ point }) => point === 'table',
  );
  for (const point of points) {
    const [{ send, check }, key, where] = [await make(), randomUUID(), describePoint(point)];
    await host.control('POST', '/faults', {
      point: 'table',
      nth: point.nth,
      kind: 'crash',
      when: point.when,
      handler: 'organizations',
    });
    expect((await send(key)).status, where).toBe(503);
    await consistent(where);
    await expireLease(host);
    await check(await retryUntilDone(host, () => send(key)), where);
    await consistent(where);
  }
  return points.length;
}

const add = (email: string, role: string) => (idempotencyKey: string) =>
  owner.request('POST', '/v1/members', { email, role }, { idempotencyKey });
const find = async (email: string) => (await membersOf(owner)).filter((member) => member.email === email);

it('inviting a new user creates one membership, and sends at least one mail, wherever the process crashes', async () => {
  const mails: number[] = [];
  const points = await sweep(async () => {
    const email = newEmail('invited');
    return {
      send: add(email, 'member'),
      check: async ({ status, body }, where) => {
        expect([status, body, await find(email)], where).toMatchObject([
          201,
          { email, invited_at: expect.any(String) },
          [body],
        ]);
        mails.push((await invitationsTo(host, email)).length);
        expect((await acceptInvitation(host, email)).organizations, where).toMatchObject([
          { role: 'owner' },
          { id: owner.org, role: 'member' },
        ]);
      },
    };
  });
  expect(points).toBeGreaterThanOrEqual(7);
  // Two mails if the process crashed between the mail and the record of it.
  expect([...new Set(mails)].sort()).toEqual([1, 2]);
  expect(mails.filter((count) => count === 2).length).toBeLessThanOrEqual(2);
}, 180_000);

it('an invitation whose request crashed and is not repeated is mailed by a new request', async () => {
  const sample = newEmail('sample');
  const calls = await crashPointsOf(host, 'organizations', () => add(sample, 'viewer')(randomUUID()));
  // The first write counts the mail.
  const [, written] = calls.filter(({ method, when }) => method === 'transact' && when === 'after');
  const email = newEmail('unmailed');
  await host.control('POST', '/faults', {
    point: 'table',
    nth: written?.nth,
    kind: 'crash',
    when: 'after',
    handler: 'organizations',
  });
  expect((await add(email, 'viewer')(randomUUID())).status).toBe(503);
  expect([await find(email), await invitationsTo(host, email)]).toMatchObject([
    [{ status: 'invited', invited_at: null }],
    [],
  ]);
  expect((await add(email, 'viewer')(randomUUID())).body.invited_at).toEqual(expect.any(String));
  expect(await invitationsTo(host, email)).toHaveLength(1);
});

it('making a member an owner counts one owner, wherever the process crashes', async () => {
  const points = await sweep(async () => {
    const { user } = await aMember(host, owner, 'viewer');
    return {
      send: add(user.email, 'owner'),
      check: async ({ status, body }, where) => {
        expect([status, body.role, (await invitationsTo(host, user.email)).length], where).toEqual([201, 'owner', 1]);
      },
    };
  });
  expect(points).toBeGreaterThanOrEqual(4);
}, 180_000);

it.each(['viewer', 'owner'])(
  'removing the %s takes effect once and gets a normal response, wherever the process crashes',
  async (role) => {
    const points = await sweep(async () => {
      const { user } = await aMember(host, owner, role);
      return {
        send: (idempotencyKey) => owner.request('DELETE', `/v1/members/${user.id}`, undefined, { idempotencyKey }),
        check: async ({ status, body }, where) => {
          expect([status, body, await find(user.email)], where).toEqual([200, { id: user.id, deleted: true }, []]);
        },
      };
    });
    expect(points).toBeGreaterThanOrEqual(4);
  },
  180_000,
);

describe('the count of owners', () => {
  const remove = (email: string) => owner.request('DELETE', `/v1/members/${host.deps.users.idFor(email)}`);
  // Of two browsers that open the link at once, one finds it used.
  const comes = (email: string) => acceptInvitation(host, email).catch(() => undefined);

  it.each<[string, (email: string) => Promise<unknown>, (email: string) => Promise<unknown>, number]>([
    ['the invited owner signs in during a change of the role', (email) => add(email, 'viewer')(randomUUID()), comes, 1],
    ['the invited owner signs in during the removal', remove, comes, 1],
    ['the role changes while the invited owner signs in', comes, (email) => add(email, 'viewer')(randomUUID()), 1],
    ['the invited owner is removed while signing in', comes, remove, 1],
    ['the invited owner signs in from two browsers', comes, comes, 2],
  ])('is right when %s', async (_, act, other, owners) => {
    const email = newEmail('coming');
    await add(email, 'owner')(randomUUID());
    meanwhile = () => other(email);
    await act(email);
    expect(meanwhile).toBeUndefined();
    await consistent('at once');
    expect((await host.deps.members.count(owner.org)).owners).toBe(owners);
  });
});

it('renaming the organization leaves it renamed, wherever the process crashes', async () => {
  const points = await sweep(async () => {
    const name = randomUUID();
    return {
      send: (idempotencyKey) => owner.request('PATCH', '/v1/organization', { name }, { idempotencyKey }),
      check: async ({ status, body }, where) => expect([status, body.name], where).toEqual([200, name]),
    };
  });
  expect(points).toBeGreaterThanOrEqual(4);
}, 120_000);
