import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attestationsLeadingTo } from '#test/support/attestations.ts';
import { Authenticator, type Tampering } from '#test/support/authenticator.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { browserWithCookie, cookieOf, DASHBOARD, type SignedInUser, signIn } from '#test/support/people.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

let count = 0;
const someone = (): Promise<SignedInUser> => signIn(host, `holder-${++count}@example.com`);

const WEBAUTHN = '/v1/auth/webauthn';
const fromOtherSite = (
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = { origin: DASHBOARD },
): Promise<ApiResponse> => host.call('POST', WEBAUTHN + path, body, { key: null, headers });

const registrationOf = async ({ call }: SignedInUser): Promise<Body> =>
  (await call('POST', `${WEBAUTHN}/register/begin`)).body;
const asked = async (): Promise<Body> => (await fromOtherSite('/authenticate/begin')).body;

async function register(
  person: SignedInUser,
  device = new Authenticator(),
  wrongs: Tampering = {},
  more: Body = {},
): Promise<ApiResponse & { device: Authenticator }> {
  const answer = await person.call('POST', `${WEBAUTHN}/register/finish`, {
    ...device.create(await registrationOf(person), wrongs),
    ...more,
  });
  return { ...answer, device };
}

const signInWith = async (device: Authenticator, wrongs: Tampering = {}): Promise<ApiResponse> =>
  fromOtherSite('/authenticate/finish', device.get(await asked(), wrongs));

const passkeysOf = async ({ call }: SignedInUser): Promise<Body> =>
  (await call('GET', `${WEBAUTHN}/credentials`)).body.credentials;

const problemOf = ({ status, body }: ApiResponse) => [status, body.code, body.message];
const REFUSED = [401, 'invalid_passkey', 'This passkey could not be verified. Start again.'];

describe('a passkey', () => {
  it('must be discoverable and verify the user', async () => {
    const person = await someone();
    expect(await registrationOf(person)).toEqual({
      rp: { id: 'localhost', name: 'Payfork (sandbox)' },
      user: {
        id: Buffer.from(person.user.id).toString('base64url'),
        name: person.user.email,
        displayName: person.user.email,
      },
      challenge: expect.stringMatching(/^[\w-]{44}$/),
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
      extensions: { credProps: true },
    });
    expect(await asked()).toEqual({
      rpId: 'localhost',
      challenge: expect.stringMatching(/^[\w-]{44}$/),
      allowCredentials: [],
      timeout: 300_000,
      userVerification: 'required',
    });
  });

  it('signs its user in without naming the user', async () => {
    const person = await someone();
    const { status, body, device } = await register(person, new Authenticator(), {}, { name: 'My phone' });
    expect([status, body]).toEqual([
      201,
      {
        id: device.id,
        name: 'My phone',
        transports: ['internal'],
        created_at: expect.any(String),
        created_by: person.user.id,
        last_used_at: null,
      },
    ]);
    const answer = await signInWith(device);
    expect([answer.status, answer.body.user, answer.body.organizations]).toEqual([
      200,
      { ...person.user, totp_enabled: false },
      person.organizations,
    ]);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^service_session=[A-Za-z0-9]{43}; .*HttpOnly; Secure; SameSite=Lax$/),
      expect.stringMatching(/^service_browser=/),
    ]);
    expect((await browserWithCookie(host, cookieOf(answer)).call('GET', '/v1/auth/session')).body.user.id).toBe(
      person.user.id,
    );
  });

  it('is listed for its user with its last use, and created only once per device', async () => {
    const [person, other] = [await someone(), await someone()];
    const { device } = await register(person);
    await signInWith(device);
    expect(await passkeysOf(person)).toEqual([
      {
        id: device.id,
        name: null,
        transports: ['internal'],
        created_at: expect.any(String),
        created_by: person.user.id,
        last_used_at: expect.any(String),
      },
    ]);
    expect((await registrationOf(person)).excludeCredentials).toEqual([
      { id: device.id, type: 'public-key', transports: ['internal'] },
    ]);
    expect(await passkeysOf(other)).toEqual([]);
    expect(problemOf(await register(person, device))).toEqual(REFUSED);
    expect(problemOf(await register(other, device))).toEqual(REFUSED);
  });

  it('no longer signs in once it is deleted', async () => {
    const [person, other] = [await someone(), await someone()];
    const { device } = await register(person);
    const path = `${WEBAUTHN}/credentials/${device.id}`;
    expect((await other.call('DELETE', path)).status).toBe(404);
    expect((await signInWith(device)).status).toBe(200);
    expect((await person.call('DELETE', path)).body).toEqual({ id: device.id, deleted: true });
    expect((await person.call('DELETE', path)).status).toBe(404);
    expect(problemOf(await signInWith(device))).toEqual(REFUSED);
    expect((await register(person, device)).status).toBe(201);
  });

  it('is one of at most twenty, even if several are added at once', async () => {
    const person = await someone();
    const options = await Promise.all(Array.from({ length: 22 }, () => registrationOf(person)));
    for (const one of options.slice(0, 18))
      await person.call('POST', `${WEBAUTHN}/register/finish`, new Authenticator().create(one));
    const last = options
      .slice(18)
      .map((one) => person.call('POST', `${WEBAUTHN}/register/finish`, new Authenticator().create(one)));
    const codes = (await Promise.all(last)).map(({ body }) => body.code ?? 'added').sort();
    expect(codes).toEqual(['added', 'added', 'passkey_limit', 'passkey_limit']);
    expect(await passkeysOf(person)).toHaveLength(20);
    const begun = await person.call('POST', `${WEBAUTHN}/register/begin`);
    expect([begun.status, begun.body.code]).toEqual([409, 'passkey_limit']);
  });

  it('can be added only with a session, from an allowed origin', async () => {
    const person = await someone();
    expect((await fromOtherSite('/register/begin')).body.code).toBe('invalid_session');
    const foreign = await person.call('POST', `${WEBAUTHN}/register/begin`, undefined, {
      headers: { origin: 'https://evil.example' },
    });
    expect([foreign.status, foreign.body.code]).toEqual([403, 'bad_origin']);
  });
});

const WRONG: readonly (readonly [string, Tampering])[] = [
  ['another challenge', { challenge: 'A'.repeat(44) }],
  ['a page of another origin', { origin: 'https://evil.example' }],
  ['an origin that begins like an allowed one', { origin: 'http://localhost.evil.example' }],
  ['another domain', { domain: 'evil.example' }],
  ['a frame in another site', { crossOrigin: true }],
  ['a device that did not verify the user', { unverified: true }],
];

describe('a new passkey', () => {
  it.each([...WRONG, ['a response of a sign-in', { type: 'webauthn.get' }] as const])(
    'is refused with %s',
    async (_, wrongs) => {
      const person = await someone();
      expect(problemOf(await register(person, new Authenticator(), wrongs))).toEqual(REFUSED);
      expect(await passkeysOf(person)).toEqual([]);
    },
  );

  it('is refused with a challenge of another user, of a sign-in, or one used before', async () => {
    const [person, other] = [await someone(), await someone()];
    const finish = (challenge: string) => register(person, new Authenticator(), { challenge });
    const { challenge } = await registrationOf(other);
    expect(problemOf(await finish(challenge))).toEqual(REFUSED);
    expect(problemOf(await finish((await asked()).challenge))).toEqual(REFUSED);
    expect((await register(other, new Authenticator(), { challenge })).status).toBe(201);
    expect(problemOf(await register(other, new Authenticator(), { challenge }))).toEqual(REFUSED);
  });

  it('is refused after five minutes', async () => {
    const person = await someone();
    const [early, late] = [await registrationOf(person), await registrationOf(person)];
    const finish = (options: Body) =>
      person.call('POST', `${WEBAUTHN}/register/finish`, new Authenticator().create(options));
    await host.control('POST', '/clock', { advance: '4m' });
    expect((await finish(early)).status).toBe(201);
    await host.control('POST', '/clock', { advance: '2m' });
    expect(problemOf(await finish(late))).toEqual(REFUSED);
  });
});

describe('the attestation of a device', () => {
  const seen: string[] = [];
  const elsewhere = createServer(({ method, url }, answer) => {
    seen.push(`${method} ${url}`);
    answer.end();
  });
  beforeAll(() => new Promise<void>((listening) => void elsewhere.listen(0, '127.0.0.1', listening)));
  afterAll(() => void elsewhere.close());

  it.each(Object.keys(attestationsLeadingTo('')))(
    'is ignored, and its certificates are not fetched: %s',
    async (name) => {
      const { port } = elsewhere.address() as AddressInfo;
      const { status, device } = await register(await someone(), new Authenticator(), {
        attestation: attestationsLeadingTo(`http://127.0.0.1:${port}/${name}`)[name]!,
      });
      expect([status, seen]).toEqual([201, []]);
      expect((await signInWith(device)).status).toBe(200);
    },
  );

  it.each([
    ['no map', Buffer.from([0x05])],
    ['no authenticator data', Buffer.from('a163666d74646e6f6e65', 'hex')],
    ['text as authenticator data', Buffer.from('a1686175746844617461656e6f706521', 'hex')],
    ['half a message', Buffer.from('a3', 'hex')],
    ['deeply nested lists', Buffer.alloc(48_000, 0x81)],
    ['deeply nested maps', Buffer.alloc(48_000, 0xa1)],
    ['deeply nested tags', Buffer.alloc(48_000, 0xc1)],
  ])('is refused as %s', async (_, object) => {
    const person = await someone();
    const made = new Authenticator().create(await registrationOf(person));
    const response = { ...made.response, attestationObject: object.toString('base64url') };
    expect(problemOf(await person.call('POST', `${WEBAUTHN}/register/finish`, { ...made, response }))).toEqual(REFUSED);
  });
});

describe('a sign-in with a passkey', () => {
  it.each<readonly [string, Tampering]>([
    ...WRONG,
    ['a response of a registration', { type: 'webauthn.create' }],
    ['a signature of other data', { signature: randomBytes(70) }],
    [
      'a user other than the passkey’s',
      { userHandle: Buffer.from('usr_00000000000000000000000000').toString('base64url') },
    ],
  ])('is refused with %s', async (_, wrongs) => {
    const { device } = await register(await someone());
    const refused = await signInWith(device, wrongs);
    expect([problemOf(refused), refused.headers.getSetCookie()]).toEqual([REFUSED, []]);
    expect((await signInWith(device)).status).toBe(200);
  });

  it('is refused with the signature of another device', async () => {
    const [{ device }, { device: other }] = [await register(await someone()), await register(await someone())];
    const [mine, theirs] = [device.get(await asked()), other.get(await asked())];
    expect(
      problemOf(
        await fromOtherSite('/authenticate/finish', {
          ...mine,
          response: { ...theirs.response, userHandle: mine.response.userHandle },
        }),
      ),
    ).toEqual(REFUSED);
  });

  it('is refused with an unknown passkey, with the same message', async () => {
    const unknownDevice = new Authenticator();
    unknownDevice.create(await registrationOf(await someone()));
    expect(problemOf(await signInWith(unknownDevice))).toEqual(REFUSED);
  });

  it('accepts a challenge once, also of two requests at the same time', async () => {
    const { device } = await register(await someone());
    const options = await asked();
    const answers = await Promise.all(
      [device.get(options), device.get(options)].map((body) => fromOtherSite('/authenticate/finish', body)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const invalidSignature = await asked();
    expect(
      problemOf(
        await fromOtherSite('/authenticate/finish', device.get(invalidSignature, { signature: randomBytes(70) })),
      ),
    ).toEqual(REFUSED);
    expect(problemOf(await fromOtherSite('/authenticate/finish', device.get(invalidSignature)))).toEqual(REFUSED);
  });

  it('is refused with a challenge of a registration', async () => {
    const person = await someone();
    const { device } = await register(person);
    const { challenge } = await registrationOf(person);
    expect(problemOf(await signInWith(device, { challenge }))).toEqual(REFUSED);
  });

  it('is refused after five minutes', async () => {
    const { device } = await register(await someone());
    const [early, late] = [await asked(), await asked()];
    await host.control('POST', '/clock', { advance: '4m' });
    expect((await fromOtherSite('/authenticate/finish', device.get(early))).status).toBe(200);
    await host.control('POST', '/clock', { advance: '2m' });
    expect(problemOf(await fromOtherSite('/authenticate/finish', device.get(late)))).toEqual(REFUSED);
  });

  it('is refused with a counter that was used before, also of two requests at the same time', async () => {
    const { device } = await register(await someone());
    expect((await signInWith(device, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 6, 0]) expect(problemOf(await signInWith(device, { counter }))).toEqual(REFUSED);
    const [one, two] = [device.get(await asked(), { counter: 8 }), device.get(await asked(), { counter: 8 })];
    const answers = await Promise.all([one, two].map((body) => fromOtherSite('/authenticate/finish', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await signInWith(device, { counter: 9 })).status).toBe(200);
  });

  it('allows many sign-ins and registrations of one user at once', async () => {
    const person = await someone();
    const options = await Promise.all(Array.from({ length: 6 }, () => registrationOf(person)));
    const devices = options.map(() => new Authenticator());
    const added = await Promise.all(
      devices.map((device, n) => person.call('POST', `${WEBAUTHN}/register/finish`, device.create(options[n]))),
    );
    expect(added.map(({ status }) => status)).toEqual(Array(6).fill(201));
    const answers = await Promise.all(devices.map((device) => signInWith(device)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  });

  it('is accepted repeatedly from a device without a counter', async () => {
    const { device } = await register(await someone());
    for (let times = 0; times < 2; times += 1) expect((await signInWith(device, { counter: 0 })).status).toBe(200);
  });

  it('is refused from a page of another site', async () => {
    const { device } = await register(await someone());
    for (const origin of ['https://evil.example', 'null']) {
      const refused = await fromOtherSite('/authenticate/finish', device.get(await asked()), { origin });
      expect([refused.status, refused.body.code, refused.headers.getSetCookie()]).toEqual([403, 'bad_origin', []]);
    }
    expect((await fromOtherSite('/authenticate/finish', device.get(await asked()), {})).status).toBe(200);
  });
});

it('reports invalid fields, and accepts fields that browsers may add', async () => {
  const { device } = await register(await someone());
  const body = device.get(await asked());
  const refused = await fromOtherSite('/authenticate/finish', {
    ...body,
    rawId: 'not base64url!',
    type: 'password',
    response: { ...body.response, signature: 7 },
    more: 1,
  });
  expect([refused.status, refused.body.details.fields.map(({ path }: Body) => path).sort()]).toEqual([
    400,
    ['more', 'rawId', 'response.signature', 'type'],
  ]);
  const added = {
    ...body,
    clientExtensionResults: { prf: { enabled: true } },
    response: { ...body.response, later: 'x' },
  };
  expect((await fromOtherSite('/authenticate/finish', added)).status).toBe(200);
});
