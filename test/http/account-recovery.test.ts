import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Authenticator } from '#test/support/authenticator.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { mailedToken, type SignedInUser, signIn, verify } from '#test/support/people.ts';
import { aTotpUser, codeAt, skipSteps } from '#test/support/totp-app.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
  await skipSteps(host);
});
afterAll(() => host?.close());

let count = 0;
const someone = (): string => `someone-${++count}@example.com`;
const outcome = ({ status, body }: ApiResponse) => [status, body.code ?? body.status];
const pass = (time: string) => host.control('POST', '/clock', { advance: time });
const anyone = { key: null, idempotencyKey: null };

const mailsTo = async (email: string): Promise<Body[]> =>
  (await host.control('GET', `/mailbox?to=${encodeURIComponent(email)}`)).body;
const subjectsTo = async (email: string) =>
  (await mailsTo(email)).map(({ subject }) => subject).filter((subject) => /recover/i.test(subject));
/** The token of the newest mail about a request. */
async function recoveryToken({ user }: SignedInUser): Promise<string> {
  const mail = (await mailsTo(user.email)).findLast(({ subject }) => subject.endsWith('was requested'));
  return /action=finish-recovery&token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
}

const request = async ({ user }: Pick<SignedInUser, 'user'>) =>
  host.call('POST', '/v1/auth/recovery', { token: await mailedToken(host, user.email) }, anyone);
const finish = (token: string) => host.call('POST', '/v1/auth/recovery/finish', { token }, anyone);
const cancel = (token: string) => host.call('POST', '/v1/auth/recovery/cancel', { token }, anyone);
const signInByMail = async ({ user }: SignedInUser) => verify(host, await mailedToken(host, user.email));

const owner = () => signIn(host, host.info.owner_email);
/** An administrator beside the owner. */
async function anAdmin(): Promise<SignedInUser> {
  const email = 'second@platform.example';
  await (await owner()).call('POST', '/v1/platform/admins', { email, role: 'platform_admin' });
  return signIn(host, email);
}
const recoveryOf = async (reviewer: SignedInUser, { user }: SignedInUser): Promise<Body> =>
  (await reviewer.call('GET', '/v1/platform/recoveries')).body.recoveries.find(({ id }: Body) => id === user.id);
async function review(reviewer: SignedInUser, person: SignedInUser, verdict: 'approve' | 'reject', more: Body = {}) {
  const { requested_at } = await recoveryOf(reviewer, person);
  const body = { requested_at, ...(verdict === 'reject' && { reason: 'Not them.' }), ...more };
  return reviewer.call('POST', `/v1/platform/recoveries/${person.user.id}/${verdict}`, body);
}

describe('a user who has lost phone and codes', () => {
  it('gets back in where the platform has one administrator: one approval, a wait of 72 hours, and a mailed link', async () => {
    const person = await aTotpUser(host, someone());
    const asked = await request(person);
    expect([asked.status, asked.body]).toEqual([
      202,
      {
        status: 'requested',
        requested_at: expect.any(String),
        usable_from: null,
        expires_at: expect.any(String),
      },
    ]);
    const token = await recoveryToken(person);
    expect(outcome(await finish(token))).toEqual([409, 'recovery_waiting']);

    const approved = await review(await owner(), person, 'approve');
    expect([approved.status, approved.body.status, approved.body.approvals.length]).toEqual([200, 'approved', 1]);
    expect(Date.parse(approved.body.usable_from) - host.clock.now().getTime()).toBeCloseTo(72 * 3_600_000, -4);
    await pass('71h');
    const early = await finish(token);
    expect(outcome(early)).toEqual([409, 'recovery_waiting']);
    expect(early.body.message).toContain(approved.body.usable_from);
    expect(outcome(await signInByMail(person))).toEqual([401, 'totp_required']);

    await pass('61m');
    expect(outcome(await finish(token))).toEqual([200, 'finished']);
    expect((await signInByMail(person)).body.user).toMatchObject({ id: person.user.id, totp_enabled: false });
    expect(outcome(await finish(token))).toEqual([409, 'recovery_not_open']);
    expect(await subjectsTo(person.user.email)).toEqual([
      'Recovery of your account was requested',
      'Recovery of your account was approved',
      'Your account was recovered',
    ]);
  });

  it('needs two approvals where the platform has more people, each of another one', async () => {
    const person = await aTotpUser(host, someone());
    const [first, second] = [await owner(), await anAdmin()];
    await request(person);
    expect((await review(first, person, 'approve')).body).toMatchObject({ status: 'requested', usable_from: null });
    const again = await review(first, person, 'approve');
    expect([again.status, again.body.status, again.body.approvals.length]).toEqual([200, 'requested', 1]);
    await pass('9m');
    expect(outcome(await finish(await recoveryToken(person)))).toEqual([409, 'recovery_waiting']);
    expect((await review(second, person, 'approve')).body).toMatchObject({
      status: 'approved',
      approvals: [{ email: first.user.email }, { email: second.user.email }],
    });
    expect(outcome(await review(await anAdmin(), person, 'approve'))).toEqual([409, 'recovery_not_open']);
  });

  it('loses the passkeys and every session with it, and can be anybody with a passkey only', async () => {
    const person = await signIn(host, someone());
    const device = new Authenticator();
    const begun = await person.call('POST', '/v1/auth/webauthn/register/begin');
    await person.call('POST', '/v1/auth/webauthn/register/finish', device.create(begun.body));
    await request(person);
    for (const reviewer of [await owner(), await anAdmin()]) await review(reviewer, person, 'approve');
    await pass('73h');
    const elsewhere = await signIn(host, person.user.email);
    expect(outcome(await finish(await recoveryToken(person)))).toEqual([200, 'finished']);
    expect((await elsewhere.call('GET', '/v1/auth/session')).status).toBe(401);
    const options = await host.call('POST', '/v1/auth/webauthn/authenticate/begin', {}, anyone);
    const answer = await host.call('POST', '/v1/auth/webauthn/authenticate/finish', device.get(options.body), anyone);
    expect(outcome(answer)).toEqual([401, 'invalid_passkey']);
    const back = await signIn(host, person.user.email);
    const org = String(back.organizations[0]?.id);
    const [removed] = (await back.call('GET', '/v1/organization/audit?limit=1', undefined, { org })).body;
    expect([removed.action, removed.target.id]).toEqual(['passkey_removed', person.user.id]);
    expect((await back.call('POST', '/v1/auth/2fa/setup')).status).toBe(200);
  });

  it('who also lost the mail asks again: the approvals stay, and the older link ends', async () => {
    const person = await aTotpUser(host, someone());
    await request(person);
    const older = await recoveryToken(person);
    for (const reviewer of [await owner(), await anAdmin()]) await review(reviewer, person, 'approve');
    const again = await request(person);
    expect(outcome(again)).toEqual([202, 'approved']);
    await pass('73h');
    expect(outcome(await finish(older))).toEqual([401, 'invalid_link']);
    expect(outcome(await finish(await recoveryToken(person)))).toEqual([200, 'finished']);
  });
});

describe('a request', () => {
  it('needs a mailed sign-in link, and uses it up', async () => {
    const person = await aTotpUser(host, someone());
    for (const token of ['a'.repeat(43), 'none'])
      expect(outcome(await host.call('POST', '/v1/auth/recovery', { token }, anyone))).toEqual([401, 'invalid_link']);
    const token = await mailedToken(host, person.user.email);
    const send = () => host.call('POST', '/v1/auth/recovery', { token }, anyone);
    expect((await send()).status).toBe(202);
    expect(outcome(await send())).toEqual([401, 'invalid_link']);
    expect(outcome(await verify(host, token, person.code()))).toEqual([401, 'invalid_link']);
  });

  it('is refused where a mailed link is enough to sign in, for known and unknown addresses', async () => {
    const person = await signIn(host, someone());
    for (const user of [person.user, { id: '', email: someone() }]) {
      expect(outcome(await request({ user }))).toEqual([409, 'recovery_not_needed']);
      expect(await subjectsTo(user.email)).toEqual([]);
    }
  });

  it('ends after 14 days, and an approved one 7 days after the wait', async () => {
    const [slow, late] = [await aTotpUser(host, someone()), await aTotpUser(host, someone())];
    await Promise.all([request(slow), request(late)]);
    for (const reviewer of [await owner(), await anAdmin()]) await review(reviewer, late, 'approve');
    await pass('241h');
    expect(outcome(await finish(await recoveryToken(late)))).toEqual([409, 'recovery_not_open']);
    await pass('96h');
    expect(outcome(await review(await owner(), slow, 'approve'))).toEqual([409, 'recovery_not_open']);
    expect(outcome(await request(slow))).toEqual([202, 'requested']);
  });

  it('is stopped with the link of the mail, also after it was approved', async () => {
    const person = await aTotpUser(host, someone());
    await request(person);
    const token = await recoveryToken(person);
    for (const reviewer of [await owner(), await anAdmin()]) await review(reviewer, person, 'approve');
    expect(outcome(await cancel(token))).toEqual([200, 'canceled']);
    await pass('73h');
    expect(outcome(await finish(token))).toEqual([409, 'recovery_not_open']);
    expect(outcome(await cancel(token))).toEqual([409, 'recovery_not_open']);
    expect((await subjectsTo(person.user.email)).at(-1)).toBe('Recovery of your account was stopped');
    expect(outcome(await signInByMail(person))).toEqual([401, 'totp_required']);
  });

  it('is neither stopped nor finished with the token of another user', async () => {
    const [person, other] = [await aTotpUser(host, someone()), await aTotpUser(host, someone())];
    await Promise.all([request(person), request(other)]);
    const [, secret] = (await recoveryToken(other)).split('.');
    for (const token of [`${person.user.id}.${secret}`, `${person.user.id}.${'a'.repeat(43)}`, 'none'])
      for (const use of [cancel, finish]) expect(outcome(await use(token))).toEqual([401, 'invalid_link']);
    expect((await recoveryOf(await owner(), person)).open).toBe(true);
  });
});

describe('an administrator', () => {
  it('rejects a request with a reason, also an approved one', async () => {
    const [person, later] = [await aTotpUser(host, someone()), await aTotpUser(host, someone())];
    await Promise.all([request(person), request(later)]);
    expect(outcome(await review(await owner(), person, 'reject'))).toEqual([200, 'rejected']);
    for (const reviewer of [await owner(), await anAdmin()]) await review(reviewer, later, 'approve');
    expect(outcome(await review(await owner(), later, 'reject'))).toEqual([200, 'rejected']);
    await pass('73h');
    for (const user of [person, later])
      expect(outcome(await finish(await recoveryToken(user)))).toEqual([409, 'recovery_not_open']);
    expect(await subjectsTo(later.user.email)).toEqual([
      'Recovery of your account was requested',
      'Recovery of your account was approved',
      'Recovery of your account was rejected',
    ]);
  });

  it('decides about the request that was looked at, not about a later one', async () => {
    const person = await aTotpUser(host, someone());
    await request(person);
    const reviewer = await owner();
    const { requested_at } = await recoveryOf(reviewer, person);
    await cancel(await recoveryToken(person));
    await pass('1m');
    await request(person);
    for (const verdict of ['approve', 'reject'] as const)
      expect(outcome(await review(reviewer, person, verdict, { requested_at }))).toEqual([409, 'recovery_not_open']);
    expect((await recoveryOf(reviewer, person)).approvals).toEqual([]);
  });

  it('does not decide about the own account, which needs the others', async () => {
    const admin = await anAdmin();
    const { secret } = (await admin.call('POST', '/v1/auth/2fa/setup')).body;
    await admin.call('POST', '/v1/auth/2fa/enable', { code: codeAt(secret, host.clock.now()) });
    await request(admin);
    for (const verdict of ['approve', 'reject'] as const)
      expect(outcome(await review(admin, admin, verdict))).toEqual([403, 'own_recovery']);
    expect((await review(await owner(), admin, 'approve')).body.status).toBe('approved');
    await pass('73h');
    expect(outcome(await finish(await recoveryToken(admin)))).toEqual([200, 'finished']);
  });

  it('gets a 404 for a user without a recovery', async () => {
    const person = await signIn(host, someone());
    const body = { requested_at: 'none' };
    const answer = await (await owner()).call('POST', `/v1/platform/recoveries/${person.user.id}/approve`, body);
    expect(outcome(answer)).toEqual([404, 'not_found']);
  });
});

it('the audit log names who asked, who approved and who finished', async () => {
  const person = await aTotpUser(host, someone());
  const [first, second] = [await owner(), await anAdmin()];
  await request(person);
  await pass('1s');
  await review(first, person, 'approve');
  await pass('1s');
  await review(second, person, 'approve');
  await pass('73h');
  await finish(await recoveryToken(person));
  const { entries } = (await (await owner()).call('GET', '/v1/platform/audit?limit=100')).body;
  const own = entries.filter(({ target }: Body) => target.id === person.user.id).toReversed();
  expect(
    own.map(({ action, actor_email, metadata }: Body) => [
      action,
      actor_email,
      metadata.changes.recovery.from,
      metadata.changes.recovery.to,
    ]),
  ).toEqual([
    ['recovery_requested', person.user.email, null, 'requested'],
    ['recovery_approved', first.user.email, 'requested', 'requested'],
    ['recovery_approved', second.user.email, 'requested', 'approved'],
    ['recovery_finished', person.user.email, 'approved', 'finished'],
  ]);
});
