import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHost, type TestHost } from '#test/support/host.ts';
import { anOwner, invitationsTo, membersOf, newEmail, type OrganizationUser } from '#test/support/members.ts';

let host: TestHost;
let owner: OrganizationUser;
beforeAll(async () => {
  host = await startHost({ rateLimits: true });
});
afterAll(() => host?.close());

const add = (email: string) => owner.request('POST', '/v1/members', { email, role: 'viewer' });
const minuteLater = () => host.control('POST', '/clock', { advance: '1m' });

it('an organization can invite one address three times a day', async () => {
  owner = await anOwner(host);
  const email = newEmail();
  for (let n = 0; n < 3; n += 1) {
    const { status, body } = await add(email);
    expect(status).toBe(201);
    await owner.request('DELETE', `/v1/members/${body.id}`);
  }
  const { status, body, headers } = await add(email);
  expect([status, body.code, Number(headers.get('retry-after'))]).toEqual([429, 'rate_limited', body.retry_after]);
  expect(body.retry_after).toBeGreaterThan(60);
  expect([(await invitationsTo(host, email)).length, (await membersOf(owner)).length]).toEqual([3, 1]);
  owner = await anOwner(host);
  expect((await add(email)).status).toBe(201);
});

it('an organization can send 50 invitations a day, and a refused one changes nothing', async () => {
  owner = await anOwner(host);
  const statuses: number[] = [];
  for (let n = 0; n < 51; n += 1) statuses.push((await add(newEmail())).status);
  expect(statuses).toEqual([...Array(50).fill(201), 429]);
  await minuteLater();
  const members = await membersOf(owner);
  expect(members).toHaveLength(50);
  // A member needs no invitation.
  expect((await add(members[0].email)).status).toBe(201);
  await host.control('POST', '/clock', { advance: '23h' });
  const { call } = owner;
  owner = await anOwner(host, owner.user.email);
  expect((await call('GET', '/v1/auth/session')).status).toBe(401);
  expect((await add(newEmail())).status).toBe(201);
});
