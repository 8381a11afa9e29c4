import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '#shared/domain/reference/access.catalog.ts';
import { routeKey } from '#shared/http/route.ts';
import { addressOf, OURS } from '#test/http/bad-input.support.ts';
import { Authenticator } from '#test/support/authenticator.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { aMember, anOwner, membersOf } from '#test/support/members.ts';
import { mailedToken, type SignedInUser, signIn, verify } from '#test/support/people.ts';
import { aTotpUser, wrongCodeAt } from '#test/support/totp-app.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

let count = 0;
const someone = (): string => `someone-${++count}@example.com`;
const outcome = ({ status, body }: ApiResponse) => [status, body.code, body.details?.methods];
const pass = (time: string) => host.control('POST', '/clock', { advance: time });
const stale = (...methods: readonly string[]) => [401, 'fresh_proof_required', methods];

/** A change that needs a fresh proof and leaves the user as before. */
const change = ({ call }: SignedInUser) => call('DELETE', '/v1/auth/webauthn/credentials/none');
const ALLOWED = [404, 'not_found', undefined];
const prove = ({ call }: SignedInUser, body: Body) => call('POST', '/v1/auth/prove', body);

async function addPasskey({ call }: SignedInUser, code?: string): Promise<Authenticator> {
  const device = new Authenticator();
  const begun = await call('POST', '/v1/auth/webauthn/register/begin', code === undefined ? undefined : { code });
  expect((await call('POST', '/v1/auth/webauthn/register/finish', device.create(begun.body))).status).toBe(201);
  return device;
}

const challenge = async (): Promise<Body> =>
  (await host.call('POST', '/v1/auth/webauthn/authenticate/begin', {}, { key: null, idempotencyKey: null })).body;

const GUARDED = OURS.filter(({ proof }) => proof === 'fresh');

it('is needed for every change of sign-in, of API keys and of the platform', () => {
  expect(GUARDED.map(routeKey).sort()).toEqual([
    'DELETE /v1/api-keys/{id}',
    'DELETE /v1/auth/webauthn/credentials/{id}',
    'DELETE /v1/platform/admins/{id}',
    'PATCH /v1/organization/agent-limits',
    'POST /v1/agent-approvals/{id}/approve',
    'POST /v1/agent-approvals/{id}/reject',
    'POST /v1/api-keys',
    'POST /v1/auth/2fa/disable',
    'POST /v1/auth/2fa/enable',
    'POST /v1/auth/2fa/setup',
    'POST /v1/auth/webauthn/register/begin',
    'POST /v1/auth/webauthn/register/finish',
    'POST /v1/platform/admins',
    'POST /v1/platform/kyc/approve',
    'POST /v1/platform/kyc/reject',
    'POST /v1/platform/organizations/{id}/capacity',
    'POST /v1/platform/organizations/{id}/plan',
    'POST /v1/platform/organizations/{id}/rate',
    'POST /v1/platform/recoveries/{id}/approve',
    'POST /v1/platform/recoveries/{id}/reject',
  ]);
});

it('is needed for every act of the platform that changes something', () => {
  const acts = OURS.filter(({ access, method }) => access === 'platform' && method !== 'GET');
  expect(acts.filter(({ proof }) => proof !== 'fresh').map(routeKey)).toEqual([]);
});

describe('ten minutes after a sign-in', () => {
  it.each(GUARDED.map((route) => [routeKey(route), route] as const))(
    '%s needs a new proof, and works after it',
    async (_, route) => {
      const owner = await signIn(host, host.info.owner_email);
      const send = () => owner.call(route.method, addressOf(route, 'none'), undefined, { org: host.info.org_id });
      const fresh = await send();
      expect(fresh.body.code).not.toBe('fresh_proof_required');
      await pass('11m');
      const refused = await send();
      expect(outcome(refused)).toEqual(stale('mail'));
      expect(refused.body.message).toContain('POST /v1/auth/prove');
      const proved = await prove(owner, { token: await mailedToken(host, owner.user.email) });
      expect([proved.status, proved.body.method]).toEqual([200, 'mail']);
      expect((await send()).body.code).toBe(fresh.body.code);
    },
  );

  it('an API key needs no proof', async () => {
    const { call, org } = await signIn(host, someone());
    const { key } = (await call('POST', '/v1/api-keys', { name: 'Server', scopes: SCOPES }, { org })).body;
    await pass('11m');
    const made = await host.call('POST', '/v1/api-keys', { name: 'Another', scopes: [] }, { key });
    expect(made.status).toBe(201);
    expect((await host.call('DELETE', `/v1/api-keys/${made.body.id}`, undefined, { key })).status).toBe(200);
  });

  it('a viewer learns the missing role, not the missing proof', async () => {
    const viewer = await aMember(host, await anOwner(host), 'viewer');
    await pass('11m');
    const refused = await viewer.request('POST', '/v1/api-keys', { name: 'Key', scopes: [] });
    expect([refused.status, refused.body.code]).toEqual([403, 'missing_scope']);
  });
});

describe('a sign-in', () => {
  it('with a mailed link counts for ten minutes, while there is nothing stronger', async () => {
    const person = await signIn(host, someone());
    await pass('9m');
    expect(outcome(await change(person))).toEqual(ALLOWED);
    await pass('1m');
    expect(outcome(await change(person))).toEqual(stale('mail'));
  });

  it('with a mailed link does not count once the user has a passkey, however new it is', async () => {
    const person = await signIn(host, someone());
    const elsewhere = await signIn(host, person.user.email);
    await addPasskey(person);
    expect(outcome(await change(person))).toEqual(ALLOWED);
    for (const other of [elsewhere, await signIn(host, person.user.email)])
      expect(outcome(await change(other))).toEqual(stale('passkey'));
  });

  it('with a code of the second factor counts', async () => {
    const person = await aTotpUser(host, someone());
    const { status, headers } = await verify(host, await mailedToken(host, person.user.email), person.code());
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const answer = await host.call('DELETE', '/v1/auth/webauthn/credentials/none', undefined, {
      key: null,
      headers: { cookie, origin: 'http://localhost:5173' },
    });
    expect([status, ...outcome(answer)]).toEqual([200, ...ALLOWED]);
  });
});

describe('a proof by code', () => {
  it('of the app or a recovery code counts for ten minutes, and is used up', async () => {
    const person = await aTotpUser(host, someone());
    await pass('11m');
    expect(outcome(await change(person))).toEqual(stale('totp'));
    for (const code of [person.code(), person.recoveryCodes[0]]) {
      const proved = await prove(person, { code });
      expect([proved.status, proved.body.method]).toEqual([200, 'totp']);
      expect(Date.parse(proved.body.valid_until) - host.clock.now().getTime()).toBeCloseTo(600_000, -3);
      expect(outcome(await change(person))).toEqual(ALLOWED);
      expect((await prove(person, { code })).body.code).toBe('invalid_code');
      await pass('10m');
      expect(outcome(await change(person))).toEqual(stale('totp'));
    }
  });

  it('is refused with a wrong code, and where there is no second factor', async () => {
    const person = await aTotpUser(host, someone());
    await pass('11m');
    const wrong = wrongCodeAt(person.secret, host.clock.now());
    expect((await prove(person, { code: wrong })).body.code).toBe('invalid_code');
    expect(outcome(await change(person))).toEqual(stale('totp'));
    const other = await signIn(host, someone());
    expect((await prove(other, { code: '123456' })).body.code).toBe('totp_not_enabled');
  });

  it('proves one of two sessions that send the same code', async () => {
    const person = await aTotpUser(host, someone());
    await pass('11m');
    const answers = await Promise.all([1, 2].map(() => prove(person, { code: person.code() })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, expect.toSatisfy((n) => n === 401 || n === 409)]);
  });
});

describe('a proof by passkey', () => {
  it('counts for ten minutes, and each signature once', async () => {
    const person = await signIn(host, someone());
    const device = await addPasskey(person);
    await pass('11m');
    expect(outcome(await change(person))).toEqual(stale('passkey'));
    const passkey = device.get(await challenge());
    expect((await prove(person, { passkey })).body.method).toBe('passkey');
    expect(outcome(await change(person))).toEqual(ALLOWED);
    expect((await prove(person, { passkey })).body.code).toBe('invalid_passkey');
  });

  it('is refused with the passkey of another user', async () => {
    const [person, other] = [await signIn(host, someone()), await signIn(host, someone())];
    await addPasskey(person);
    const device = await addPasskey(other);
    await pass('11m');
    expect((await prove(person, { passkey: device.get(await challenge()) })).body.code).toBe('invalid_passkey');
    expect(outcome(await change(person))).toEqual(stale('passkey'));
  });

  it('is offered beside the code where the user has both', async () => {
    const person = await aTotpUser(host, someone());
    await addPasskey(person, person.code());
    await pass('11m');
    expect(outcome(await change(person))).toEqual(stale('passkey', 'totp'));
  });
});

describe('a proof by mail', () => {
  it('is refused to users who have a second factor or a passkey, and leaves the link usable', async () => {
    const [coded, keyed] = [await aTotpUser(host, someone()), await signIn(host, someone())];
    await addPasskey(keyed);
    for (const [person, method] of [
      [coded, 'totp'],
      [keyed, 'passkey'],
    ] as const) {
      await pass('11m');
      const token = await mailedToken(host, person.user.email);
      expect(outcome(await prove(person, { token }))).toEqual(stale(method));
      expect(outcome(await change(person))).toEqual(stale(method));
      expect((await verify(host, token)).body.code).not.toBe('invalid_link');
    }
  });

  it('needs a link to the own address that was not used', async () => {
    const [person, other] = [await signIn(host, someone()), await signIn(host, someone())];
    const token = await mailedToken(host, person.user.email);
    for (const wrong of [await mailedToken(host, other.user.email), 'a'.repeat(43), 'no token'])
      expect((await prove(person, { token: wrong })).body.code).toBe('invalid_link');
    expect((await prove(person, { token })).status).toBe(200);
    expect((await prove(person, { token })).body.code).toBe('invalid_link');
    expect((await verify(host, token)).body.code).toBe('invalid_link');
  });
});

it.each([
  ['nothing', {}],
  ['two at once', { code: '123456', token: 'a'.repeat(43) }],
])('a proof with %s is refused', async (_, body) => {
  const { status, body: refusal } = await prove(await signIn(host, someone()), body);
  expect([status, refusal.details.fields]).toEqual([
    400,
    [{ path: 'code', message: 'Send exactly one of code, passkey and token.' }],
  ]);
});

describe('a change of members', () => {
  it('needs a fresh proof to make, demote and remove an owner, and to make an administrator', async () => {
    const owner = await anOwner(host);
    const [second, member] = [await aMember(host, owner, 'owner'), await aMember(host, owner, 'member')];
    const save = (email: string, role: string) => owner.request('POST', '/v1/members', { email, role });
    await pass('11m');
    for (const answer of [
      await save(someone(), 'owner'),
      await save(member.user.email, 'owner'),
      await save(someone(), 'admin'),
      await save(member.user.email, 'admin'),
      await save(second.user.email, 'admin'),
      await owner.request('DELETE', `/v1/members/${second.user.id}`),
      await owner.request('DELETE', `/v1/members/${owner.user.id}`),
    ])
      expect(outcome(answer)).toEqual(stale('mail'));
    expect(await membersOf(owner)).toHaveLength(3);
    await owner.call('POST', '/v1/auth/prove', { token: await mailedToken(host, owner.user.email) });
    expect((await save(second.user.email, 'admin')).status).toBe(201);
  });

  it('needs none for other members, and where nothing changes', async () => {
    const owner = await anOwner(host);
    const [admin, member] = [await aMember(host, owner, 'admin'), await aMember(host, owner, 'member')];
    const save = (email: string, role: string) => owner.request('POST', '/v1/members', { email, role });
    await pass('11m');
    for (const answer of [
      await save(someone(), 'viewer'),
      await save(member.user.email, 'viewer'),
      await save(admin.user.email, 'admin'),
      await save(admin.user.email, 'member'),
      await save(owner.user.email, 'owner'),
    ])
      expect(answer.status).toBe(201);
    expect((await owner.request('DELETE', `/v1/members/${member.user.id}`)).status).toBe(200);
  });
});
