import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';
import {
  type ApiResponse,
  anOrganization,
  aPaymentBody,
  type CallOptions,
  callsOf,
  requestCallsOf,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { DASHBOARD, signIn } from '#test/support/people.ts';

/** Strangers whose address has used up its window: each request is refused, and must cost as little as possible. */

let host: TestHost;
let org: TestOrganization;
let revoked: string;
let ended: string;
/** The clock is stopped at the start of a minute that no other test uses. */
let minute: Date;

beforeAll(async () => {
  host = await startHost({ rateLimits: true });
  org = await anOrganization(host);
  const made = await host.call('POST', '/v1/api-keys', { name: 'Old', scopes: ['payments:write'] }, { key: org.key });
  revoked = made.body.key;
  await host.call('DELETE', `/v1/api-keys/${made.body.id}`, undefined, { key: org.key });
  const person = await signIn(host, host.info.owner_email);
  ended = person.cookie;
  await person.call('POST', '/v1/auth/logout');
});
afterAll(() => host?.close());
beforeEach(async () => {
  minute = new Date(Math.ceil(host.clock.now().getTime() / MINUTE + 1) * MINUTE);
  await host.clock.stand(minute);
});

const pay = (how: CallOptions): Promise<ApiResponse> => host.call('POST', '/v1/payments', aPaymentBody(), how);
const forged = () => org.key.replace(/.{8}$/, (tag) => [...tag].reverse().join(''));
const STRANGERS: readonly (readonly [who: string, how: () => CallOptions])[] = [
  ['nobody', () => ({ key: null })],
  ['a forged key', () => ({ key: forged() })],
  ['a forged service key', () => ({ key: null, headers: { 'x-service-key': forged(), 'x-org-id': org.org_id } })],
  ['a key of the other stage', () => ({ key: org.key.replace('pfk_test_', 'pfk_live_') })],
  ['a revoked key', () => ({ key: revoked })],
  ['a revoked service key', () => ({ key: null, headers: { 'x-service-key': revoked, 'x-org-id': org.org_id } })],
  ['an ended session', () => ({ key: null, headers: { cookie: ended, origin: DASHBOARD } })],
  [
    'a cookie that is no session',
    () => ({ key: null, headers: { cookie: 'service_session=none', origin: DASHBOARD } }),
  ],
];

/** Each is refused twice: what only the store knows is remembered from the first time. */
async function fillWindow(how: CallOptions): Promise<readonly ApiResponse[]> {
  await Promise.all(Array.from({ length: 200 }, () => pay({ key: null })));
  return [await pay(how), await pay(how)];
}

const storeCalls = async (work: () => Promise<unknown>): Promise<number> =>
  (await callsOf(host, work, 'payments')).filter(({ point }) => point === 'table').length;

function withoutIds({ status, headers, text }: ApiResponse) {
  const { 'x-request-id': request, 'apigw-requestid': gateway, date: _, ...same } = Object.fromEntries(headers);
  return { status, text, same, ids: [/^req_/.test(request ?? ''), gateway?.length] };
}

describe.each(STRANGERS)('%s in a full window', (_, how) => {
  it('costs no store call, and gets the same response each time until the window ends', async () => {
    const answers = (await fillWindow(how())).map(withoutIds);
    const calls = await storeCalls(async () => answers.push(withoutIds(await pay(how()))));
    expect(calls).toBe(0);
    expect(answers[0]).toMatchObject({ status: 429, same: { 'x-ratelimit-remaining': '0', 'retry-after': '10' } });
    expect(answers.slice(1)).toEqual([answers[0], answers[0]]);

    await host.clock.stand(plus(minute, 10 * SECOND));
    expect((await pay(how())).status).toBe(401);
  });
});

describe('a full window of an address', () => {
  it('lets valid keys and sessions pass from there', async () => {
    const person = await signIn(host, host.info.owner_email);
    await fillWindow({ key: null });
    expect((await pay({ key: org.key })).status).toBe(201);
    expect((await person.call('GET', '/v1/auth/session')).status).toBe(200);
  });

  it('lets a key pass that is made meanwhile', async () => {
    await fillWindow({ key: null });
    const wish = { name: 'New', scopes: ['payments:write'] };
    const { key } = (await host.call('POST', '/v1/api-keys', wish, { key: org.key })).body;
    expect((await pay({ key })).status).toBe(201);
  });

  it('is known to those who may read it: pages of the dashboard get their headers', async () => {
    const [first, again] = await fillWindow({ key: null, headers: { origin: DASHBOARD } });
    const allowed = [first, again].map((answer) => answer?.headers.get('access-control-allow-origin'));
    expect(allowed).toEqual([DASHBOARD, DASHBOARD]);
  });

  it('does not hide that a body is too large', async () => {
    await fillWindow({ key: null });
    const { status } = await host.call('POST', '/v1/payments', 'x'.repeat(300 * 1024), { key: null });
    expect(status).toBe(413);
  });

  it('does not refuse unknown paths and callbacks', async () => {
    await fillWindow({ key: null });
    expect((await host.call('GET', '/v2', undefined, { key: null })).body.code).toBe('route_not_found');
    expect((await host.call('POST', '/webhooks/acme', {}, { key: null })).status).toBe(404);
  });

  it('costs pages and sign-in requests no store call either', async () => {
    await fillWindow({ key: null });
    const page = () => host.call('GET', '/pay/plink_none', undefined, { key: null });
    expect((await page()).status).toBe(429);
    const calls = await requestCallsOf(host, async () => expect((await page()).status).toBe(429));
    expect(calls.filter(({ point }) => point === 'table')).toEqual([]);
  });
});
