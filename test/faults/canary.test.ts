import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disguisesOf, filesIn, leaksOf } from '#test/faults/canary.support.ts';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { storedInEmulator } from '#test/support/emulated-items.ts';
import {
  type ApiResponse,
  anOrganization,
  aPaymentBody,
  type Body,
  type CallOptions,
  HANG_UP_AFTER_MS,
  type TestOrganization,
} from '#test/support/host.ts';
import { hostStore } from '#test/support/host-store.ts';

const CREDENTIALS = { secret_key: 'sk_test_CanarySecretKey7Qx2', webhook_secret: 'whsec_Canary+Hook/Secret9=' };
const FORMER = { secret_key: 'sk_test_CanaryFormer9Wn4', webhook_secret: 'whsec_CanaryFormer+Hook2=' };
const REVOKED = { ...CREDENTIALS, secret_key: `${CREDENTIALS.secret_key}_revoked` };
const SECRETS = {
  ...CREDENTIALS,
  'replaced key': FORMER.secret_key,
  'replaced webhook secret': FORMER.webhook_secret,
  token: 'cus_CanaryToken5Zt8',
  'token that the provider rejects': 'pm_CanaryRefused3Lw6',
  phone: '+49 151 (555) 0199-77',
} as const;

let host: WatchedHost;
let org: TestOrganization;
/** An organization whose key has been revoked at the provider. */
let revoked: TestOrganization;
let signingSecret: string;
/** All responses of the API and of the control server so far. */
const answers: string[] = [];

const recorded = (answer: ApiResponse): ApiResponse => {
  answers.push(`${answer.text}\n${[...answer.headers].join('\n')}`);
  return answer;
};
const call = async (method: string, path: string, body?: unknown, how: CallOptions = {}) =>
  recorded(await host.call(method, path, body, { key: org.key, ...how }));
const control = async (method: string, path: string, body?: unknown) =>
  recorded(await host.control(method, path, body));
const scenario = (behaviour: string, more: Body = {}) =>
  control('POST', '/psp/scenario', { provider: 'stripe', behaviour, ...more });

/** A payment with all data that must not be seen again. */
const aSecretPayment = (payment_method = 'pm_card_visa') =>
  aPaymentBody('', {
    payment_method: {
      type: 'card',
      token: { payment_method, customer: SECRETS.token },
      phone: SECRETS.phone,
      return_url: 'https://shop.example/back',
    },
  });
const pay = (payment_method?: string, how: CallOptions = {}) =>
  call('POST', '/v1/payments', aSecretPayment(payment_method), how);

beforeAll(async () => {
  host = await startWatchedHost({ hangUpAfterMs: HANG_UP_AFTER_MS });
  org = await anOrganization(host);
  revoked = await anOrganization(host);
  const hook = `${host.controlUrl}/receiver/shop/hook`;
  signingSecret = (await host.call('POST', '/v1/webhooks/config', { url: hook, events: ['*'] }, { key: org.key })).body
    .signing_secret;
  expect(
    (await call('POST', '/v1/connections', { id: 'main', provider: 'stripe', credentials: CREDENTIALS })).status,
  ).toBe(201);
  expect(
    (await call('POST', '/v1/connections', { provider: 'stripe', credentials: REVOKED }, { key: revoked.key })).status,
  ).toBe(201);
});
afterAll(() => host?.close());

/** A simulator may store its own customers' tokens in its own file. */
const PROVIDERS_OWN = /^token in sandbox\S*-simulators/;
const leaks = async (secrets: Readonly<Record<string, string>> = SECRETS) =>
  leaksOf(secrets, await allOutput()).filter((leak) => !PROVIDERS_OWN.test(leak));

/** Whichever store the run uses. */
const everythingKept = async (): Promise<Readonly<Record<string, string>>> => ({
  ...filesIn(host.folder),
  ...(await storedInEmulator(host.folder)),
});

/** Everything that others than the service can read. */
async function allOutput(): Promise<Readonly<Record<string, string>>> {
  const deliveries = host.receivers
    .deliveries('shop')
    .map(({ raw_body, headers }) => `${raw_body}\n${JSON.stringify(headers)}`);
  return {
    ...(await everythingKept()),
    'the log': `${inspect(host.logged, { depth: null, maxStringLength: null, showHidden: true })}${JSON.stringify(host.logged)}`,
    'what was answered': answers.join('\n'),
    'what was delivered': deliveries.join('\n'),
    'what the provider noted': JSON.stringify(host.simulators.calls({})),
  };
}

describe('a search for secrets', () => {
  it.each(Object.entries(SECRETS))('finds a %s in every encoding', (name, secret) => {
    const said = [secret, `x${secret}y`].flatMap((text) => [
      text,
      ...(['base64', 'base64url', 'hex'] as const).map((code) => Buffer.from(text).toString(code)),
      encodeURIComponent(text),
    ]);
    for (const text of said)
      expect(
        disguisesOf(secret).some((disguise) => text.includes(disguise)),
        text,
      ).toBe(true);
    expect(leaksOf({ [name]: secret }, { here: `a ${secret} b`, there: 'nothing' })).toEqual([
      expect.stringContaining(`${name} in here`),
    ]);
  });
});

const forged = (id: string): { readonly body: string; readonly headers: Readonly<Record<string, string>> } => {
  const metadata = { org_id: org.org_id, connection_id: 'main', payment_id: id };
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'payment_intent.succeeded',
    data: { object: { id: 'pi_1', metadata } },
  });
  const at = Math.floor(host.clock.now().getTime() / 1_000);
  const digest = createHmac('sha256', `${CREDENTIALS.webhook_secret}x`).update(`${at}.${body}`).digest('hex');
  return { body, headers: { 'stripe-signature': `t=${at},v1=${digest}` } };
};
const fault = (point: string, more: Body) =>
  control('POST', '/faults', { point, nth: 1, kind: 'error', when: 'after', ...more });
const advance = (time: string) => control('POST', '/clock', { advance: time });
const outcome = ({ status, body }: ApiResponse) =>
  `${status} ${body.status ?? body.code}${body.failure ? ` ${body.failure.code}` : ''}`;

describe('no secret appears in files, logs, responses or deliveries', () => {
  it.each<readonly [string, string, () => Promise<ApiResponse>]>([
    [
      'credentials of the wrong form',
      '400 invalid_request',
      () =>
        call('POST', '/v1/connections', {
          provider: 'stripe',
          credentials: { secret_key: `x${CREDENTIALS.secret_key}`, [CREDENTIALS.webhook_secret]: 1 },
        }),
    ],
    [
      'a test of credentials',
      '200 undefined',
      () => call('POST', '/v1/connections/test', { provider: 'stripe', credentials: CREDENTIALS }),
    ],
    [
      'a test of revoked credentials',
      '200 undefined',
      () => call('POST', '/v1/connections/test', { provider: 'stripe', credentials: REVOKED }),
    ],
    ['a validation of the connection', '200 active', () => call('POST', '/v1/connections/main/validate')],
    [
      'an exchange of the credentials',
      '201 active',
      () => call('POST', '/v1/connections', { id: 'main', credentials: FORMER }),
    ],
    [
      'an exchange back to the first credentials',
      '201 active',
      () => call('POST', '/v1/connections', { id: 'main', credentials: CREDENTIALS }),
    ],
    [
      'a request for the audit entries of the exchange',
      '200 undefined',
      () => call('GET', '/v1/connections/main/audit'),
    ],
    ['a charge', '201 succeeded', () => pay()],
    ['a decline', '201 failed insufficient_funds', () => pay('decline_insufficient_funds')],
    [
      'a token that the provider rejects',
      '201 failed invalid_payment_method',
      () => pay(SECRETS['token that the provider rejects']),
    ],
    ['a charge with a revoked key', '201 failed invalid_configuration', () => pay(undefined, { key: revoked.key })],
    [
      'a charge with the wrong method',
      '400 invalid_request',
      () => call('POST', '/v1/payments', { ...aSecretPayment(), method: 'ideal' }),
    ],
  ])('after %s', async (_, expected, act) => {
    expect(outcome(await act())).toBe(expected);
    await host.drain();
    expect(await leaks()).toEqual([]);
  });

  it.each<readonly [string, string, () => Promise<ApiResponse>]>([
    ['a rate limit of the provider', '201 failed provider_unavailable', () => scenario('rate_limited')],
    ['a refused connection', '201 failed provider_unavailable', () => scenario('refuse_connection')],
    ['an error of the provider', '201 processing', () => scenario('http_500')],
    ['an unintelligible response', '201 processing', () => scenario('garbage')],
    ['a timeout after the charge', '201 processing', () => scenario('timeout_after_charge', { webhook: 'none' })],
    ['a timeout before the charge', '201 processing', () => scenario('timeout_before_charge')],
    ['a charge of the wrong amount', '201 processing', () => scenario('wrong_amount')],
    ['a vault error while encrypting', '500 internal_error', () => fault('vault', { handler: 'payments' })],
    ['a vault error while decrypting', '201 processing', () => fault('vault', { handler: 'payments', nth: 2 })],
    ['a table error', '500 internal_error', () => fault('table', { handler: 'payments', nth: 3, when: 'before' })],
    ['an unexpected error of the adapter', '201 processing', () => fault('psp', { handler: 'payments' })],
    ['a crash', '503 undefined', () => fault('psp', { handler: 'payments', kind: 'crash' })],
  ])('after a charge with %s', async (_, expected, arrange) => {
    await arrange();
    expect(outcome(await pay())).toBe(expected);
    await control('DELETE', '/faults');
    await host.drain();
    expect(await leaks()).toEqual([]);
  });

  it('after every action on a payment', async () => {
    const intent = (await call('POST', '/v1/payments/intents', aSecretPayment())).body;
    expect(outcome(await call('POST', `/v1/payments/${intent.id}/confirm`))).toBe('200 succeeded');
    expect(outcome(await call('POST', `/v1/payments/${intent.id}/refund`, { amount: 100 }))).toBe('200 succeeded');
    const declined = (await pay('decline_insufficient_funds')).body;
    expect(
      outcome(
        await call('POST', `/v1/payments/${declined.id}/retry`, { payment_method: aSecretPayment().payment_method }),
      ),
    ).toBe('200 succeeded');
    const asked = (await pay('needs_3ds')).body;
    expect(asked.next_action.type).toBe('redirect');
    expect(outcome(await call('POST', `/v1/payments/${asked.id}/cancel`))).toBe('200 canceled');
    await advance('2h');
    expect(await leaks()).toEqual([]);
  });

  it('after forged and genuine callbacks', async () => {
    const { id } = (await pay('pending')).body;
    const { body, headers } = forged(id);
    expect(outcome(await call('POST', '/webhooks/stripe', body, { key: null, headers }))).toBe('401 invalid_signature');
    await fault('vault', { handler: 'psp-webhooks' });
    await control('POST', '/psp/complete', { provider: 'stripe', reference: id, outcome: 'succeeded' });
    await host.drain();
    expect(outcome(await call('GET', `/v1/payments/${id}`))).toBe('200 succeeded');
    expect(await leaks()).toEqual([]);
  });

  it('after events that no endpoint accepts, down to the dead-letter queue', async () => {
    await control('PUT', '/receiver/shop', { status: 500 });
    await pay();
    await advance('3d');
    for (let nth = 1; nth <= 5; nth += 1) await fault('vault', { handler: 'slow-deliveries', nth });
    await call('POST', '/v1/webhooks/test');
    await host.drain();
    expect(await host.queue.deadLetters('slow-deliveries')).toHaveLength(1);
    const { events } = (await call('GET', '/v1/webhooks/events?limit=200')).body;
    expect(events.filter(({ status }: Body) => status === 'failed').length).toBeGreaterThanOrEqual(2);
    for (const path of ['/v1/payments?limit=200', '/v1/connections', '/v1/connections/main'])
      expect((await call('GET', path)).status).toBe(200);
    expect(await leaks({ ...SECRETS, 'signing secret': signingSecret })).toEqual([]);
  });

  it('and the search covers the places where data is stored', async () => {
    const places = await allOutput();
    const { store } = hostStore();
    const name = store === 'sqlite' ? 'sandbox' : `sandbox-${store}`;
    expect(Object.keys(places)).toContain(`${name}.sqlite`);
    const kept = [store === 'sqlite' ? `${name}.sqlite-wal` : 'the table', `${name}-simulators.sqlite-wal`];
    for (const place of [...kept, 'what was answered', 'what was delivered', 'what the provider noted'])
      expect(places[place], place).toMatch(/pay_[0-9a-z]{26}/);
    expect(places['the log']).toContain('psp_refused');
  });
});

describe('a secret that is shown once', () => {
  it('is not in the store', async () => {
    const { keys } = host.info;
    const ask = async (path: string, body: Body): Promise<Body> =>
      (await host.call('POST', path, body, { key: org.key })).body;
    const { key } = await ask('/v1/api-keys', { name: 'Shop', scopes: [] });
    const { client_secret } = await ask('/v1/payments/intents', aSecretPayment());
    const shown = { ...keys, key, 'first key': org.key, client_secret, 'signing secret': signingSecret };
    const { 'info.json': info = '', ...files } = await everythingKept();
    expect(leaksOf(shown, files)).toEqual([]);
    expect(new Set(leaksOf(shown, { info }).map((leak) => leak.split(' in ')[0]))).toEqual(new Set(Object.keys(keys)));
  });
});
