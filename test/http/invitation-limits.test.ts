import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHost, type TestHost } from '#test/support/host.ts';
import { aFounder, anAddress, type Founder, invitationsTo, membersOf } from '#test/support/members.ts';

let host: TestHost;
let founder: Founder;
beforeAll(async () => {
  host = await startHost({ rateLimits: true });
});
afterAll(() => host?.close());

const add = (email: string) => founder.ask('POST', '/v1/members', { email, role: 'viewer' });
const minuteLater = () => host.control('POST', '/clock', { advance: '1m' });

it('an address is bothered three times a day by one organization', async () => {
  founder = await aFounder(host);
  const email = anAddress();
  for (let n = 0; n < 3; n += 1) {
    const { status, body } = await add(email);
    expect(status).toBe(201);
    await founder.ask('DELETE', `/v1/members/${body.id}`);
  }
  const { status, body, headers } = await add(email);
  expect([status, body.code, Number(headers.get('retry-after'))]).toEqual([429, 'rate_limited', body.retry_after]);
  expect(body.retry_after).toBeGreaterThan(60);
  expect([(await invitationsTo(host, email)).length, (await membersOf(founder)).length]).toEqual([3, 1]);
  founder = await aFounder(host);
  expect((await add(email)).status).toBe(201);
});

it('an organization mails 50 invitations a day, and what is refused leaves nothing', async () => {
  founder = await aFounder(host);
  const statuses: number[] = [];
  for (let n = 0; n < 51; n += 1) statuses.push((await add(anAddress())).status);
  expect(statuses).toEqual([...Array(50).fill(201), 429]);
  await minuteLater();
  const members = await membersOf(founder);
  expect(members).toHaveLength(50);
  // Whoever is a member already needs no mail.
  expect((await add(members[0].email)).status).toBe(201);
  await host.control('POST', '/clock', { advance: '23h' });
  const { call } = founder;
  founder = await aFounder(host, founder.user.email);
  expect((await call('GET', '/v1/auth/session')).status).toBe(401);
  expect((await add(anAddress())).status).toBe(201);
});
