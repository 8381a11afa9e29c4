import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bootstrapProbe } from '#functions/platform/bootstrap-probe.usecase.ts';
import { runProbe } from '#functions/probe/run-probe.usecase.ts';
import { PROBE_ORGANIZATION, PROBE_PATH, probeKey, TEST_CHARGES } from '#shared/domain/reference/probe.rules.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';
import { aConnection, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { drain } from '#test/support/payment-steps.ts';

/** The probe looks for its event this often, in ms. */
const OFTEN = 10;

const probe = (host: TestHost) => runProbe(host.deps, OFTEN);
const asProbe = ({ deps }: TestHost) => ({ key: probeKey(deps.config).reveal() });
const passed = ({ logged }: TestHost) => logged.filter(({ event }) => event === 'probe_passed');
const metrics = ({ logged }: TestHost) =>
  logged.filter(({ event }) => ['payment_settled', 'psp_called', 'delivery_tried'].includes(event));

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ rateLimits: true });
});
afterAll(() => host?.close());

describe('the probe', () => {
  it('waits and tells the remedy, without an error, until it is set up for the first time', async () => {
    await probe(host);
    const told = host.logged.filter(({ event }) => event.startsWith('probe_'));
    expect(told).toMatchObject([
      { level: 'warn', event: 'probe_not_set_up', fields: { remedy: 'npm run bootstrap -- --probe' } },
    ]);
  });

  it('creates and cancels an intent, and sees its signed event arrive', async () => {
    await bootstrapProbe({ newKey: false }, host.deps);
    await probe(host);
    expect(passed(host)).toMatchObject([{ fields: { provider: 'none', duration_ms: expect.any(Number) } }]);
    const { body } = await host.call('GET', '/v1/payments', undefined, asProbe(host));
    expect(body.payments).toMatchObject([{ org_id: PROBE_ORGANIZATION, status: 'canceled', attempts: [] }]);
    const events = (await host.call('GET', '/v1/webhooks/events', undefined, asProbe(host))).body.events;
    const canceled = events.find(({ type }: Body) => type === 'payment.canceled');
    expect(canceled).toMatchObject({ status: 'delivered', attempts: [{ status_code: 204 }] });
  });

  it('is not counted as business', async () => {
    const before = metrics(host).length;
    await probe(host);
    await drain(host);
    expect(metrics(host).length).toBe(before);
    const id = (await host.call('POST', '/v1/payments/intents', { amount: 1_000, currency: 'EUR' })).body.id;
    await host.call('POST', `/v1/payments/${id}/cancel`);
    await drain(host);
    expect(metrics(host).length).toBe(before + 1);
  });

  it('fails when its webhook is disabled, as after a disturbance of days, and enables it with the next run', async () => {
    const change = { url: `${host.info.api}${PROBE_PATH}`, events: ['payment.canceled'], enabled: false };
    await host.call('POST', '/v1/webhooks/config', change, asProbe(host));
    await expect(probe(host)).rejects.toThrow("The event's delivery is skipped");
    await probe(host);
    const { body } = await host.call('GET', '/v1/webhooks/config', undefined, asProbe(host));
    expect(body.enabled).toBe(true);
  });

  it('has a key that may do no more than the probe does, and that a second set-up leaves as it is', async () => {
    const { key } = await bootstrapProbe({ newKey: true }, host.deps);
    const keys = await host.deps.keys.list(PROBE_ORGANIZATION);
    expect(keys.map(({ name }) => name).sort()).toEqual(["Operator's key", 'Probe']);
    expect((await host.call('GET', '/v1/api-keys', undefined, asProbe(host))).status).toBe(403);
    expect((await host.call('GET', '/v1/api-keys', undefined, { key: key?.reveal() ?? '' })).status).toBe(200);
    await probe(host);
  });
});

describe('the key of the probe', () => {
  it('is missed by an alarm once it was there, also by a process that has never seen it work', async () => {
    const other = await startHost();
    try {
      const { deps } = other;
      await bootstrapProbe({ newKey: false }, deps);
      const [{ id = '' } = {}] = await deps.keys.list(PROBE_ORGANIZATION);
      await deps.keys.revoke(PROBE_ORGANIZATION, id);
      await expect(probe(other)).rejects.toThrow('npm run bootstrap -- --probe');
      expect(other.logged.filter(({ event, level }) => event === 'probe_failed' && level === 'error')).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  it('is another one once the hash secret was replaced, and the former one is revoked', async () => {
    const other = await startHost();
    try {
      const { deps } = other;
      const keys = async () => (await deps.keys.list(PROBE_ORGANIZATION)).map(({ id }) => id);
      await bootstrapProbe({ newKey: false }, { ...deps, config: { ...deps.config, hashSecret: 'the former secret' } });
      const [former] = await keys();
      await expect(probe(other)).rejects.toThrow('answered 401');
      await bootstrapProbe({ newKey: false }, deps);
      expect(await keys()).toEqual([expect.not.stringMatching(String(former))]);
      await probe(other);
    } finally {
      await other.close();
    }
  });
});

describe('POST /health/probe', () => {
  const deliver = (headers: Record<string, string>) =>
    host.call('POST', PROBE_PATH, { id: 'evt_1' }, { key: null, idempotencyKey: null, headers });
  const seconds = () => String(Math.floor(host.deps.clock.now().getTime() / 1_000));

  it.each<[string, () => Record<string, string>]>([
    ['without a signature', () => ({})],
    [
      'with a forged one',
      () => ({ 'webhook-id': 'evt_1', 'webhook-timestamp': seconds(), 'webhook-signature': 'v1,x' }),
    ],
    ['of long ago', () => ({ 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' })],
    ['with a time that is none', () => ({ 'webhook-timestamp': 'now', 'webhook-signature': 'v1,x' })],
  ])('an event %s is refused', async (_, headers) => {
    expect(await deliver(headers())).toMatchObject({ status: 401, body: { code: 'invalid_signature' } });
  });

  it('forged events cost the probe at most one request a minute', async () => {
    const forged = () => ({ 'webhook-id': 'evt_1', 'webhook-timestamp': seconds(), 'webhook-signature': 'v1,x' });
    const before = host.logged.length;
    await Promise.all(Array.from({ length: 50 }, () => deliver(forged())));
    const asked = host.logged
      .slice(before)
      .filter(({ event, fields }) => event === 'request_completed' && fields.route === 'GET /v1/webhooks/config');
    expect(asked.length).toBeLessThanOrEqual(1);
  });
});

describe('on the sandbox the probe charges a connection of its organization', () => {
  it('knows a test charge for every provider', () => {
    expect(Object.keys(TEST_CHARGES).sort()).toEqual([...PROVIDERS].sort());
  });

  it.each([...PROVIDERS])('at %s, and fails where that is refused', async (provider) => {
    const { key } = await bootstrapProbe({ newKey: true }, host.deps);
    const operator = { key: key?.reveal() ?? '' };
    const { id } = await aConnection(host, operator, { provider });
    await probe(host);
    expect(passed(host).at(-1)).toMatchObject({ fields: { provider } });
    await host.control('POST', '/psp/scenario', { provider, behaviour: 'refuse_connection', times: 10 });
    await expect(probe(host)).rejects.toThrow(`A test payment at ${provider} did not succeed`);
    await host.control('DELETE', '/psp/scenario');
    await host.call('PATCH', `/v1/connections/${id}/status`, { status: 'inactive' }, operator);
  });
});
