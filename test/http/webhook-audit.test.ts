import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configuredEntry } from '#shared/domain/webhooks/webhook-audit.rules.ts';
import {
  crashesAt,
  crashPointsOf,
  describePoint,
  expireLease,
  retryUntilDone,
} from '#test/faults/crash-sweep.support.ts';
import { type Merchant, webhooksAt } from '#test/http/webhook-merchant.support.ts';
import {
  type ApiResponse,
  anOrganization,
  type Body,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const { call, aMerchant, answerWith, configure, config, rotate, audit, sendTest, drain, keyWith } = webhooksAt(
  () => host,
);
const list = (org: TestOrganization, query = ''): Promise<ApiResponse> =>
  call('GET', `/config/audit${query}`, undefined, org);
const idsOf = async (org: TestOrganization, query = ''): Promise<number[]> =>
  (await audit(org, query)).map(({ id }) => id);
const by = (actor: string) => ({ headers: { 'x-actor-id': actor } });

/** Changes of an earlier version, whose URLs could have control characters: six bytes each in JSON. */
async function storeLongUrls({ org_id }: TestOrganization, count: number): Promise<void> {
  const actor = { credentialId: 'key_1', actorId: null, auditId: 'act_1' };
  for (let n = 0; n < count; n += 1) {
    const before = await host.deps.webhookConfigs.get(org_id);
    if (!before) throw new Error('The organization has no webhook configuration.');
    const url = `https://shop.example/${n}${'\u0001'.repeat(1_900)}`;
    const after = { ...before, url, version: before.version + 1, audits: before.audits + 1 };
    const audit = configuredEntry(before, after, actor, host.deps.clock.now());
    expect(await host.deps.webhookConfigs.save(after, audit)).toBe(true);
  }
}

describe('GET /v1/webhooks/config/audit', () => {
  it('ends a page before the response becomes too large', async () => {
    const merchant = await aMerchant();
    await storeLongUrls(merchant, 165);
    const first = await list(merchant, '?limit=200');
    expect(Buffer.byteLength(JSON.stringify(first.text))).toBeLessThan(6_000_000);
    const { body: rest } = await list(
      merchant,
      new URL(/<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '').search,
    );
    expect([...first.body, ...rest].map(({ id }: Body) => id)).toEqual(Array.from({ length: 166 }, (_, n) => 166 - n));
    expect(rest.length).toBeGreaterThan(1);
  });

  it('lists who changed what, newest first, and no secrets', async () => {
    const merchant = await aMerchant({}, { events: ['payment.created'] });
    const { body: turnedOff } = await configure(merchant, { events: ['*'], enabled: false }, by('ada'));
    const { body: rotated } = await rotate(merchant, undefined, by('grace'));
    await rotate(merchant, { expire_previous: true });
    const { status, body, text } = await list(merchant);
    const key = body[0].metadata.credential_id;
    expect([status, key]).toEqual([200, expect.stringMatching(/^key_/)]);
    const secretBefore = { signing_secret: { from: 'replaced', to: 'sealed' } };
    expect(body).toEqual([
      {
        id: 4,
        actor_id: key,
        actor_claimed: false,
        action: 'webhook.secret_rotated',
        metadata: { changes: { ...secretBefore, former_secrets: { from: 1, to: 0 } }, credential_id: key },
        created_at: expect.stringMatching(/Z$/),
      },
      {
        id: 3,
        actor_id: 'grace',
        actor_claimed: true,
        action: 'webhook.secret_rotated',
        metadata: { changes: { ...secretBefore, former_secrets: { from: 0, to: 1 } }, credential_id: key },
        created_at: rotated.updated_at,
      },
      {
        id: 2,
        actor_id: 'ada',
        actor_claimed: true,
        action: 'webhook.configured',
        metadata: {
          changes: { events: { from: ['payment.created'], to: ['*'] }, enabled: { from: true, to: false } },
          credential_id: key,
        },
        created_at: turnedOff.updated_at,
      },
      {
        id: 1,
        actor_id: key,
        actor_claimed: false,
        action: 'webhook.configured',
        metadata: {
          changes: {
            url: { from: null, to: merchant.url },
            events: { from: null, to: ['payment.created'] },
            enabled: { from: null, to: true },
            signing_secret: { from: null, to: 'sealed' },
          },
          credential_id: key,
        },
        created_at: turnedOff.created_at,
      },
    ]);
    for (const secret of ['whsec_', merchant.secret.slice(6), rotated.signing_secret.slice(6)])
      expect(text).not.toContain(secret);
  });

  it('has no entry for a change without effect, a replay or a refused request', async () => {
    const merchant = await aMerchant();
    const before = await config(merchant);
    const how = { idempotencyKey: randomUUID() };
    await configure(merchant);
    await configure(merchant, { events: ['payment.created'] }, how);
    await configure(merchant, { events: ['payment.created'] }, how);
    await configure(merchant, { url: 'https://10.0.0.1/hook' });
    await configure(merchant, { events: [] });
    expect(await idsOf(merchant)).toEqual([2, 1]);
    await configure(merchant, { events: ['payment.created'] });
    expect(await config(merchant)).toMatchObject({ events: ['payment.created'], created_at: before.created_at });
    expect(await idsOf(merchant)).toEqual([2, 1]);
  });

  it('numbers simultaneous changes without a gap', async () => {
    const merchant = await aMerchant();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => configure(merchant, { url: `${merchant.url}?${n}` })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const entries = await audit(merchant);
    expect(entries.map(({ id }) => id)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    // Each entry starts from the values that the one before ended with.
    for (const [n, { metadata }] of entries.slice(0, -1).entries())
      expect(metadata.changes.url.from).toBe(entries[n + 1]?.metadata.changes.url.to);
  });

  it('pages by cursor, limit and offset', async () => {
    const merchant = await aMerchant();
    for (let n = 0; n < 4; n += 1) await configure(merchant, { url: `${merchant.url}?${n}` });
    const first = await list(merchant, '?limit=2');
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await host.call('GET', next.slice(host.info.api.length), undefined, { key: merchant.key });
    expect([first, second].map(({ body }) => body.map((entry: Body) => entry.id))).toEqual([
      [5, 4],
      [3, 2],
    ]);
    expect([await idsOf(merchant, '?offset=4'), await idsOf(merchant, '?offset=5')]).toEqual([[1], []]);
    expect((await list(merchant, '?offset=4')).headers.get('link')).toBeNull();
  });

  it.each(['limit=0', 'limit=201', 'offset=-1', 'cursor=x', 'colour=red'])('answers 400 for ?%s', async (query) => {
    expect((await list(await aMerchant(), `?${query}`)).body.code).toBe('invalid_request');
  });

  it('answers 404 before the first configuration, 401 without a key and 403 without the scope', async () => {
    const org = await anOrganization(host);
    expect(await list(org)).toMatchObject({ status: 404, body: { error: 'not_found', code: 'not_found' } });
    expect((await call('GET', '/config/audit', undefined, org, { key: null })).status).toBe(401);
    const { status, body } = await list({ ...org, key: await keyWith(org, 'webhooks:write') });
    expect([status, body.message]).toEqual([403, expect.stringContaining('webhooks:read')]);
  });

  it("lists only the entries of the caller's organization", async () => {
    const [mine, theirs] = [await aMerchant(), await aMerchant()];
    await rotate(theirs);
    expect((await audit(mine)).map(({ action }) => action)).toEqual(['webhook.configured']);
  });
});

describe('a process that crashes while it saves the configuration', () => {
  const changed = { events: ['payment.failed'] };
  const send = (merchant: Merchant, idempotencyKey: string) => configure(merchant, changed, { idempotencyKey });

  it('saves the change and its audit entry together, once, or neither', async () => {
    const counted = await aMerchant();
    const points = await crashPointsOf(host, 'webhooks', () => send(counted, randomUUID()));
    expect(points.filter(({ method }) => method === 'transact')).toHaveLength(2);
    for (const { point, nth, when, method } of points) {
      const where = describePoint({ point, nth, when, method });
      const merchant = await aMerchant();
      const key = randomUUID();
      await host.control('POST', '/faults', { point, nth, when, kind: 'crash', handler: 'webhooks' });
      if (!(await crashesAt(host, () => send(merchant, key), where))) continue;
      expect([await idsOf(merchant), (await config(merchant)).events], where).toEqual(
        (await idsOf(merchant)).length === 2 ? [[2, 1], ['payment.failed']] : [[1], ['*']],
      );
      await expireLease(host);
      expect((await retryUntilDone(host, () => send(merchant, key))).body.events, where).toEqual(['payment.failed']);
      expect(await idsOf(merchant), where).toEqual([2, 1]);
    }
  });

  it('does not undo later changes of others when the request is repeated', async () => {
    const counted = await aMerchant();
    const points = await crashPointsOf(host, 'webhooks', () => send(counted, randomUUID()));
    const saved = points.find(({ method, when }) => method === 'transact' && when === 'after');
    const merchant = await aMerchant();
    const key = randomUUID();
    await host.control('POST', '/faults', {
      point: 'table',
      nth: saved?.nth,
      when: 'after',
      kind: 'crash',
      handler: 'webhooks',
    });
    expect((await send(merchant, key)).status).toBe(503);
    await configure(merchant, { events: ['invoice.paid'] });
    await expireLease(host);
    expect((await send(merchant, key)).body.events).toEqual(['invoice.paid']);
    expect(await idsOf(merchant)).toEqual([3, 2, 1]);
  });
});

describe('POST /v1/webhooks/test', () => {
  it('still sends its event when the process crashes before the event is published', async () => {
    const merchant = await aMerchant();
    const points = await crashPointsOf(host, 'webhooks', () => sendTest(merchant));
    expect(points.map(({ point }) => point)).toContain('bus');
    await drain();
    const { length } = (await call('GET', '/events', undefined, merchant)).body.events;
    await host.control('POST', '/faults', { point: 'bus', nth: 1, when: 'before', kind: 'crash', handler: 'webhooks' });
    expect((await call('POST', '/test', undefined, merchant)).status).toBe(503);
    await drain();
    const pending = (await call('GET', '/events?status=pending', undefined, merchant)).body.events;
    expect(pending).toHaveLength(1);
    await host.control('POST', '/clock', { advance: '17m' });
    const { events } = (await call('GET', '/events?status=delivered', undefined, merchant)).body;
    expect([events.length, events[0].id]).toEqual([length + 1, pending[0].id]);
  });

  it('sends its event once, even after the time at which a lost one is sent again', async () => {
    const merchant = await aMerchant();
    await sendTest(merchant);
    await host.control('POST', '/clock', { advance: '1h' });
    expect((await host.control('GET', `/receiver/${merchant.receiver}`)).body.deliveries).toHaveLength(1);
  });

  it('answers 409 and creates no event while webhooks are disabled, automatically or by a request', async () => {
    const merchant = await aMerchant({ status: 410 });
    const refused = async () => {
      const { status, body } = await call('POST', '/test', undefined, merchant);
      return [status, body.error, body.code, (await call('GET', '/events', undefined, merchant)).body.events.length];
    };
    await sendTest(merchant);
    await drain();
    expect((await config(merchant)).disabled_reason).toBe('gone');
    expect(await refused()).toEqual([409, 'conflict', 'webhooks_disabled', 1]);
    await configure(merchant, { enabled: false });
    expect(await refused()).toEqual([409, 'conflict', 'webhooks_disabled', 1]);
    await answerWith(merchant, { status: 200 });
    await configure(merchant);
    expect((await call('POST', '/test', undefined, merchant)).status).toBe(200);
  });
});
