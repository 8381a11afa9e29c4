import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  anOrganization,
  type Body,
  callsOf,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';

let host: TestHost;
let org: TestOrganization;
beforeAll(async () => {
  host = await startHost();
  org = await anOrganization(host);
});
afterAll(() => host.close());

const URL = 'https://8.8.8.8/hooks';
const configure = (body: Body, how = {}) => host.call('POST', '/v1/webhooks/config', body, { key: org.key, ...how });
const read = (key = org.key) => host.call('GET', '/v1/webhooks/config', undefined, { key });
const keyWith = async (...scopes: string[]): Promise<string> =>
  (await host.call('POST', '/v1/api-keys', { name: 'limited', scopes }, { key: org.key })).body.key;

describe('POST /v1/webhooks/config', () => {
  it('creates the signing secret with the first configuration, and keeps it afterwards', async () => {
    const { status, body } = await configure({ url: URL, events: ['*'] });
    expect(status).toBe(200);
    expect(body).toEqual({
      url: URL,
      events: ['*'],
      enabled: true,
      disabled_at: null,
      disabled_reason: null,
      signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
      previous_secret_expires_at: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    const changed = await configure({
      url: `${URL}/new`,
      events: ['payment.failed', 'payment.created', 'payment.failed'],
      enabled: false,
    });
    expect(changed.body).toEqual({
      ...body,
      url: `${URL}/new`,
      events: ['payment.failed', 'payment.created'],
      enabled: false,
      disabled_at: changed.body.updated_at,
      updated_at: expect.any(String),
    });
  });

  it('shows since when webhooks are disabled, and is unchanged by a request without changes', async () => {
    const how = await anOrganization(host);
    const off = (await configure({ url: URL, events: ['*'], enabled: false }, how)).body;
    expect([off.disabled_at, off.disabled_reason]).toEqual([off.created_at, null]);
    await host.control('POST', '/clock', { advance: '1h' });
    expect((await configure({ url: URL, events: ['*'], enabled: false }, how)).body).toEqual(off);
    const moved = (await configure({ url: `${URL}/new`, events: ['*'], enabled: false }, how)).body;
    expect([moved.disabled_at, moved.updated_at > off.updated_at]).toEqual([off.disabled_at, true]);
    expect((await configure({ url: URL, events: ['*'] }, how)).body).toMatchObject({
      enabled: true,
      disabled_at: null,
      disabled_reason: null,
    });
  });

  it('creates a different secret for each organization', async () => {
    const secrets = await Promise.all(
      [1, 2].map(
        async () => (await configure({ url: URL, events: ['*'] }, await anOrganization(host))).body.signing_secret,
      ),
    );
    expect(new Set(secrets).size).toBe(2);
  });

  it('creates one secret when several first configurations come at once', async () => {
    const { key } = await anOrganization(host);
    const answers = await Promise.all([1, 2, 3].map((n) => configure({ url: `${URL}/${n}`, events: ['*'] }, { key })));
    expect(new Set(answers.map(({ body }) => body.signing_secret))).toEqual(
      new Set([(await read(key)).body.signing_secret]),
    );
  });

  it.each([
    ['http://shop.example/hook', 'plain http'],
    ['https://shop.example:8080/hook', 'another port'],
    ['https://user:pass@shop.example/hook', 'user information'],
    ['https://10.0.0.1/hook', 'a private address'],
    ['https://[::1]/hook', 'a loopback address'],
    ['https://169.254.169.254/latest', 'a metadata address'],
    ['https://2130706433/hook', 'a loopback address, written as a number'],
    ['https://shop.internal/hook', 'a private name'],
    ['hook', 'no address'],
  ])('answers 400 for the URL %s: %s', async (url) => {
    expect(await configure({ url, events: ['*'] })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', code: 'url_not_allowed' },
    });
  });

  it.each([
    ['an empty body', {}, ['url', 'events']],
    ['an unknown event type', { url: URL, events: ['payment.created', 'payment.exploded'] }, ['events.1']],
    ['no event type', { url: URL, events: [] }, ['events']],
    [
      'fields of the wrong type and an unknown field',
      { url: 1, events: '*', enabled: 'yes', secret: 'mine' },
      ['url', 'events', 'enabled', 'secret'],
    ],
  ])('answers 400 for %s', async (_, sent, paths) => {
    const { status, body } = await configure(sent);
    expect([status, body.details.fields.map(({ path }: Body) => path)]).toEqual([400, paths]);
  });

  it('answers 400 without an idempotency key, 401 without a key and 403 without the scope', async () => {
    expect((await configure({ url: URL, events: ['*'] }, { idempotencyKey: null })).body.code).toBe(
      'idempotency_key_required',
    );
    expect((await configure({ url: URL, events: ['*'] }, { key: null })).status).toBe(401);
    expect(
      (await configure({ url: URL, events: ['*'] }, { key: await keyWith('webhooks:read') })).body.message,
    ).toContain('webhooks:write');
  });

  it('repeats the response for the same idempotency key of the same credential only', async () => {
    const how = { idempotencyKey: randomUUID() };
    const body = { url: URL, events: ['*'] };
    const first = await configure(body, how);
    const again = await configure(body, how);
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    expect((await configure(body, { ...how, key: await keyWith('webhooks:write') })).status).toBe(422);
    expect((await configure({ ...body, enabled: false }, how)).status).toBe(422);
  });

  it('creates one secret, wherever the process crashes', async () => {
    const body = { url: URL, events: ['*'] };
    const calls = await callsOf(host, async () => configure(body, await anOrganization(host)), 'webhooks');
    for (const point of ['table', 'vault'] as const) {
      for (let nth = point === 'table' ? 2 : 1; nth <= calls.filter((call) => call.point === point).length; nth += 1) {
        const how = { key: (await anOrganization(host)).key, idempotencyKey: randomUUID() };
        host.faults.add({ point, nth, kind: 'crash', when: 'after', handler: 'webhooks' });
        expect((await configure(body, how)).status).toBe(503);
        const seen = await read(how.key);
        await host.control('POST', '/clock', { advance: '36s' });
        const { status, body: config } = await configure(body, how);
        expect(status).toBe(200);
        if (seen.status === 200) expect(config.signing_secret).toBe(seen.body.signing_secret);
      }
    }
  });
});

describe('GET /v1/webhooks/config', () => {
  it('shows the full secret with the scope to configure, and its last characters without', async () => {
    const { signing_secret } = (await configure({ url: URL, events: ['*'] })).body;
    expect((await read()).body).toMatchObject({ url: URL, events: ['*'], enabled: true, signing_secret });
    expect((await read(await keyWith('webhooks:read'))).body.signing_secret).toBe(
      `whsec_****${signing_secret.slice(-4)}`,
    );
  });

  it('answers 404 before the first configuration', async () => {
    expect(await read((await anOrganization(host)).key)).toMatchObject({
      status: 404,
      body: { error: 'not_found', code: 'not_found' },
    });
  });

  it('answers 403 without the scope', async () => {
    const { status, body } = await read(await keyWith('payments:read'));
    expect([status, body.message]).toEqual([403, expect.stringContaining('webhooks:read')]);
  });
});
