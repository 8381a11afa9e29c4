import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { withTag } from '#shared/kernel/ids.ts';
import { NEVER_WAS, openShop, type Shop } from '#test/http/two-shops.support.ts';
import type { ApiResponse, CallOptions, TestHost } from '#test/support/host.ts';
import { mailedToken, signIn, verify } from '#test/support/people.ts';

/** Two requests of a stranger with the same response: the work for them must be the same, too. */
export type Pair = {
  readonly what: string;
  readonly one: () => Promise<ApiResponse>;
  readonly other: () => Promise<ApiResponse>;
};

const NOBODY: CallOptions = { key: null, idempotencyKey: null };
let made = 0;
const something = (): string => `${++made}`.padStart(6, '0');

/** Facts that a stranger could learn from response times. */
export async function alikePairs(host: TestHost): Promise<readonly Pair[]> {
  const [here, there] = [await openShop(host, 'here'), await openShop(host, 'there')];
  await host.drain();
  return [
    aboutAddresses(host, here),
    ...aboutKeys(host, here, await aRevokedKey(host, here)),
    ...(await aboutSessions(host, here, there)),
    await aboutPasskeys(host),
    ...aboutThings(host, here, there),
  ];
}

/** Pairs whose responses differ anyway; how far their times differ is worth knowing. */
export async function apartPairs(host: TestHost): Promise<readonly Pair[]> {
  const { key: weak } = (await host.call('POST', '/v1/api-keys', { name: 'Weak', scopes: ['fraud:read'] })).body;
  const ask = (key: string) => host.call('GET', '/v1/payments', undefined, { key });
  const [otherStage, wrong] = [weak.replace('_test_', '_live_'), `${weak.slice(0, -6)}000000`];
  return [
    {
      what: 'a right key that lacks the scope (403), and a wrong one (401)',
      one: () => ask(weak),
      other: () => ask(wrong),
    },
    {
      what: 'a key of the other stage (wrong_stage), and a wrong one',
      one: () => ask(otherStage),
      other: () => ask(wrong),
    },
  ];
}

const aboutAddresses = (host: TestHost, { owner }: Shop): Pair => {
  const ask = (email: string) => host.call('POST', '/v1/auth/magic-link', { email }, NOBODY);
  return {
    what: 'a sign-in link for an address that has signed in, and for one that has not',
    one: () => ask(owner.user.email),
    other: () => ask(`nobody-${something()}@here.example`),
  };
};

async function aRevokedKey(host: TestHost, { key }: Shop): Promise<string> {
  const { id, key: revoked } = (
    await host.call('POST', '/v1/api-keys', { name: 'Old', scopes: ['payments:read'] }, { key })
  ).body;
  await host.call('DELETE', `/v1/api-keys/${id}`, undefined, { key });
  return revoked;
}

function aboutKeys(host: TestHost, { key }: Shop, revoked: string): readonly Pair[] {
  const ask = (wrong: string) => host.call('GET', '/v1/payments', undefined, { key: wrong });
  const ends = (text: string, length: number) =>
    text.slice(0, -length) + randomBytes(length).toString('hex').slice(0, length);
  const [nearly, never] = [ends(key, 6), ends(key, 32)];
  const ofNone = ends(key.replace(/[0-9a-z]{26}(?=.{32}$)/, NEVER_WAS.organization.slice('org_'.length)), 32);
  return [
    {
      what: 'a key that was revoked, and one that never existed',
      one: () => ask(revoked),
      other: () => ask(withTag(never.slice(0, -8), host.deps.config.hashSecret)),
    },
    {
      what: 'a key with wrong last characters, and one that is wrong throughout',
      one: () => ask(nearly),
      other: () => ask(never),
    },
    { what: 'a wrong key of an organization, and one of none', one: () => ask(never), other: () => ask(ofNone) },
  ];
}

async function aboutSessions(host: TestHost, here: Shop, { owner }: Shop): Promise<readonly Pair[]> {
  const never = 'x'.repeat(43);
  const ended = await signIn(host, 'gone@here.example');
  await ended.call('POST', '/v1/auth/logout');
  const ask = (cookie: string) => host.call('GET', '/v1/auth/session', undefined, { key: null, headers: { cookie } });
  const enter = (org: string) => owner.call('GET', '/v1/connections', undefined, { org });
  const used = await mailedToken(host, 'twice@here.example');
  await verify(host, used);
  return [
    {
      what: 'a session that has ended, and one that never existed',
      one: () => ask(ended.cookie),
      other: () => ask(`service_session=${never}`),
    },
    {
      what: 'a session with another organization, and with an unknown one',
      one: () => enter(here.org),
      other: () => enter(NEVER_WAS.organization),
    },
    {
      what: 'a sign-in link that was used, and one that never existed',
      one: () => verify(host, used),
      other: () => verify(host, never),
    },
  ];
}

/** A client that knows the id of a passkey and cannot sign with it. */
async function aboutPasskeys(host: TestHost): Promise<Pair> {
  const { user } = await signIn(host, 'passkey@here.example');
  const [id, known] = [randomBytes(16).toString('base64url'), await host.deps.users.get(user.id)];
  if (!known) throw new Error('Whoever has signed in is somebody.');
  const about = {
    name: null,
    counter: 0,
    transports: [],
    created_at: known.created_at,
    created_by: null,
    last_used_at: null,
  };
  await host.deps.passkeys.add({ id, user_id: user.id, public_key: aPublicKey(), ...about }, known);
  const handle = Buffer.from(user.id).toString('base64url');
  return {
    what: 'a passkey that is known, and one that is not, each with a wrong signature',
    one: () => sign(host, id, handle),
    other: () => sign(host, randomBytes(16).toString('base64url'), handle),
  };
}

async function sign(host: TestHost, id: string, userHandle: string): Promise<ApiResponse> {
  const { challenge, rpId } = (await host.call('POST', '/v1/auth/webauthn/authenticate/begin', undefined, NOBODY)).body;
  const clientDataJSON = Buffer.from(
    JSON.stringify({ type: 'webauthn.get', challenge, origin: ORIGIN, crossOrigin: false }),
  ).toString('base64url');
  const present = Buffer.concat([
    createHash('sha256').update(rpId).digest(),
    Buffer.from([0b101, 0, 0, 0, 1]),
  ]).toString('base64url');
  const response = { clientDataJSON, authenticatorData: present, signature: WRONG_SIGNATURE, userHandle };
  return host.call(
    'POST',
    '/v1/auth/webauthn/authenticate/finish',
    { id, rawId: id, type: 'public-key', response },
    { ...NOBODY, headers: { origin: ORIGIN } },
  );
}

const ORIGIN = 'http://localhost:5173';
/** Well-formed, made of two small numbers. */
const WRONG_SIGNATURE = Buffer.from('3006020101020101', 'hex').toString('base64url');

/** A point of P-256 in COSE form. */
function aPublicKey(): string {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const [begin, between] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')];
  return Buffer.concat([begin, Buffer.from(x, 'base64url'), between, Buffer.from(y, 'base64url')]).toString(
    'base64url',
  );
}

/** For each kind of resource: one of another organization, and one that never existed. */
function aboutThings(host: TestHost, here: Shop, there: Shop): readonly Pair[] {
  const ask = (path: string): Promise<ApiResponse> => host.call('GET', path, undefined, { key: there.key });
  const pairOf = (what: string, path: (ids: Shop['ids']) => string): Pair => ({
    what: `another organization's ${what}, and one that never was`,
    one: () => ask(path(here.ids)),
    other: () => ask(path(NEVER_WAS)),
  });
  return [
    pairOf('payment', ({ payment }) => `/v1/payments/${payment}`),
    pairOf('connection', ({ connection }) => `/v1/connections/${connection}`),
    pairOf('payment link', ({ link }) => `/v1/payment-links/${link}`),
    pairOf('event', ({ event }) => `/v1/webhooks/events/${event}`),
  ];
}
