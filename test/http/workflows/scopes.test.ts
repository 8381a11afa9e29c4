import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { keyWith, pay } from '#test/support/payment-steps.ts';
import {
  anEvent,
  anIntegration,
  aRule,
  aTemplate,
  createTemplate,
  EXECUTIONS,
  hookAt,
  INTEGRATIONS,
  RULES,
  TEMPLATES,
} from '#test/support/workflows.ts';

let host: TestHost;
let org: TestOrganization;
let event: Body;
beforeAll(async () => {
  host = await startHost();
  org = await anOrganization(host);
  event = await anEvent(host, org);
});
afterAll(() => host?.close());

const ACTS = [
  ['tag_payment', 'payments:write', { metadata: { seen: true } }],
  ['cancel_payment', 'payments:write', {}],
  ['capture_payment', 'payments:write', {}],
  ['refund_payment', 'payments:write', {}],
  ['pause_subscription', 'subscriptions:write', {}],
] as const;
const OTHER = { 'payments:write': 'subscriptions:write', 'subscriptions:write': 'payments:write' } as const;
const WAIT = [{ id: 'wait', type: 'delay', for: '1h' }];

/** The error of a key without the scope, as on every other endpoint. */
function expectLack({ status, body }: ApiResponse, scope: string): void {
  expect([status, body.error, body.code]).toEqual([403, 'forbidden', 'missing_scope']);
  expect(body.message.startsWith(`This key lacks the scope ${scope}`)).toBe(true);
}

describe.each(ACTS)('a step of the type %s', (type, scope, fields) => {
  const steps = [...WAIT, { id: 'act', type, ...fields }];
  const weak = () =>
    keyWith(host, ['workflows:read', 'workflows:write', 'connections:write', OTHER[scope]], { key: org.key });
  const strong = () => keyWith(host, ['workflows:write', 'connections:write', scope], { key: org.key });
  const acting = () => aTemplate(host, org, { steps });
  const waiting = () => aTemplate(host, org, { steps: WAIT });

  it('can be saved in a template only with the scope of its action', async () => {
    expectLack(await createTemplate(host, { key: await weak() }, { steps }), scope);
    const made = await waiting();
    const change = async (key: string, body: Body) => host.call('PATCH', `${TEMPLATES}/${made.id}`, body, { key });
    expectLack(await change(await weak(), { steps }), scope);
    expect((await host.call('GET', `${TEMPLATES}/${made.id}`, undefined, { key: org.key })).body).toEqual(made);
    expect((await change(await weak(), { name: 'Wait' })).status).toBe(200);
    expect((await change(await strong(), { steps })).status).toBe(200);
    expect((await createTemplate(host, { key: await strong() }, { steps })).status).toBe(201);
    expect((await change(await weak(), { name: 'Act' })).status).toBe(200);
    expect((await change(await weak(), { steps: WAIT })).status).toBe(200);
  });

  it('can be run by a rule only with the scope of its action', async () => {
    const [idle, { id: template_id }] = [await waiting(), await acting()];
    const body = { name: 'x', event: 'payment.failed', template_id };
    const make = (key: string) => host.call('POST', RULES, body, { key });
    expectLack(await make(await weak()), scope);
    const rule = await aRule(host, org, { template_id: idle.id, enabled: false });
    const change = async (key: string, wish: Body) => host.call('PATCH', `${RULES}/${rule.id}`, wish, { key });
    expectLack(await change(await weak(), { template_id }), scope);
    expect((await host.call('GET', `${RULES}/${rule.id}`, undefined, { key: org.key })).body).toEqual(rule);
    expect((await change(await strong(), { template_id })).status).toBe(200);
    for (const wish of [{ enabled: true }, { condition: 'true' }, { event: 'payment.created' }])
      expectLack(await change(await weak(), wish), scope);
    for (const wish of [{ enabled: true }, { condition: 'true' }])
      expect((await change(await strong(), wish)).status).toBe(200);
    for (const wish of [{ name: 'Less' }, { priority: -1 }, { enabled: false }])
      expect((await change(await weak(), wish)).status).toBe(200);
    expect((await make(await strong())).status).toBe(201);
  });

  it('can be started manually only with the scope of its action', async () => {
    const start = async (key: string, { id }: Body) =>
      host.call('POST', EXECUTIONS, { template_id: id, event_id: event.id }, { key });
    const template = await acting();
    expectLack(await start(await weak(), template), scope);
    expect(
      (await host.call('GET', `${EXECUTIONS}?template_id=${template.id}`, undefined, { key: org.key })).body.executions,
    ).toEqual([]);
    expect((await start(await weak(), await waiting())).status).toBe(201);
    expect((await start(await strong(), template)).status).toBe(201);
  });

  it('can be run by a connection only with the scope of its action', async () => {
    const [{ id: workflow_id }, idle] = [await acting(), await waiting()];
    const { id } = await aConnection(host, org);
    const save = async (key: string, body: Body) => host.call('POST', '/v1/connections', { id, ...body }, { key });
    expectLack(await save(await weak(), { workflow_id }), scope);
    for (const other of [idle.id, null]) expect((await save(await weak(), { workflow_id: other })).status).toBe(201);
    expect((await save(await strong(), { workflow_id })).status).toBe(201);
    for (const same of [{ workflow_id }, { fee_structure: null }])
      expect((await save(await weak(), same)).status).toBe(201);
    expect((await host.call('GET', `/v1/connections/${id}`, undefined, { key: org.key })).body.workflow_id).toBe(
      workflow_id,
    );
  });
});

describe('a workflow that reads events', () => {
  const PAYMENT = 'payment.failed';
  let shop: TestOrganization;
  let integration_id: string;
  let paymentEvent: string;
  let blind: string;
  let reading: string;
  beforeEach(async () => {
    shop = await anOrganization(host);
    integration_id = (await anIntegration(host, shop)).id;
    await aConnection(host, shop);
    const { id } = await pay(host, 'ok', {}, { key: shop.key });
    await host.control('POST', '/drain');
    const { events } = (
      await host.call('GET', '/v1/webhooks/events?type=payment.created', undefined, { key: shop.key })
    ).body;
    paymentEvent = events.find(({ data }: Body) => data.id === id).id;
    blind = await keyWith(host, ['workflows:read', 'workflows:write', 'connections:write'], { key: shop.key });
    reading = await keyWith(host, ['workflows:write', 'connections:write', 'payments:read'], { key: shop.key });
  });
  const sending = () => [{ id: 'send', type: 'http_request', integration_id }];
  const deciding = (condition: string) => [{ id: 'check', type: 'condition', if: condition }];
  const makeRule = (key: string, wish: Body) =>
    host.call('POST', RULES, { name: 'x', event: PAYMENT, ...wish }, { key });

  it.each<[string, () => Body[]]>([
    ['sends them to a server', sending],
    ['sends a part of them to a server', () => [{ ...sending()[0], body: { paid: '{{ data.amount }}' } }]],
    ['decides by their data', () => deciding('data.amount > 100')],
    ['decides by their data under a quoted name', () => deciding('data["amount"] > 100')],
    ['decides by what their data has', () => deciding('has(data.customer_email)')],
  ])('and %s is run by a rule only with the scope to read them', async (_, steps) => {
    const { id: template_id } = await aTemplate(host, shop, { steps: steps() });
    expectLack(await makeRule(blind, { template_id }), 'payments:read');
    expectLack(await makeRule(reading, { template_id, event: 'subscription.created' }), 'subscriptions:read');
    expectLack(await makeRule(reading, { template_id, event: 'invoice.paid' }), 'invoices:read');
    expect((await makeRule(reading, { template_id })).status).toBe(201);
    expect((await makeRule(reading, { template_id, event: 'payment_link.paid' })).status).toBe(201);
  });

  it('runs without that scope where nothing of the event is used', async () => {
    const { id: template_id } = await aTemplate(host, shop, { steps: [...deciding('event.type == "x"'), ...WAIT] });
    expect((await makeRule(blind, { template_id })).status).toBe(201);
  });

  it('cannot be asked about their data by the condition of a rule', async () => {
    const { id: template_id } = await aTemplate(host, shop, { steps: WAIT });
    expectLack(await makeRule(blind, { template_id, condition: 'data.amount > 100' }), 'payments:read');
    const rule = (await makeRule(blind, { template_id, condition: 'true' })).body;
    const change = (key: string) =>
      host.call('PATCH', `${RULES}/${rule.id}`, { condition: 'data.amount > 1' }, { key });
    expectLack(await change(blind), 'payments:read');
    expect((await change(reading)).status).toBe(200);
  });

  it('is started manually only with the scope to read the event', async () => {
    const { id: template_id } = await aTemplate(host, shop, { steps: sending() });
    const start = (key: string, event_id: string) => host.call('POST', EXECUTIONS, { template_id, event_id }, { key });
    expectLack(await start(blind, paymentEvent), 'payments:read');
    expect((await start(blind, (await anEvent(host, shop)).id)).status).toBe(201);
    expect((await start(reading, paymentEvent)).status).toBe(201);
  });

  it('is run by a connection only with the scope to read payments', async () => {
    const [{ id: workflow_id }, { id }] = [
      await aTemplate(host, shop, { steps: sending() }),
      await aConnection(host, shop),
    ];
    const save = (key: string) => host.call('POST', '/v1/connections', { id, workflow_id }, { key });
    expectLack(await save(blind), 'payments:read');
    expect((await save(reading)).status).toBe(201);
    const steps = [...sending(), ...WAIT];
    const change = (key: string) => host.call('PATCH', `${TEMPLATES}/${workflow_id}`, { steps }, { key });
    expectLack(await change(blind), 'payments:read');
    expect((await change(reading)).status).toBe(200);
  });

  it('that a rule runs already is not made to read them by a key that may not', async () => {
    const { id: template_id } = await aTemplate(host, shop, { steps: WAIT });
    const rule = (await makeRule(blind, { template_id })).body;
    const change = (key: string) => host.call('PATCH', `${TEMPLATES}/${template_id}`, { steps: sending() }, { key });
    expectLack(await change(blind), 'payments:read');
    await host.call('PATCH', `${RULES}/${rule.id}`, { enabled: false }, { key: blind });
    expect((await change(blind)).status).toBe(200);
    expectLack(await host.call('PATCH', `${RULES}/${rule.id}`, { enabled: true }, { key: blind }), 'payments:read');
  });

  it('is not sent to another address by a key that may not read them', async () => {
    const { id: to } = await anIntegration(host, shop);
    const { id: template_id } = await aTemplate(host, shop, { steps: [{ ...sending()[0], integration_id: to }] });
    await aRule(host, shop, { template_id, event: PAYMENT });
    const change = (key: string, body: Body) => host.call('PATCH', `${INTEGRATIONS}/${to}`, body, { key });
    const elsewhere = { config: { url: hookAt(host, 'elsewhere') } };
    expectLack(await change(blind, elsewhere), 'payments:read');
    for (const harmless of [{ name: 'Other' }, { config: { headers: { 'x-note': '1' } } }])
      expect((await change(blind, harmless)).status).toBe(200);
    expect((await change(reading, elsewhere)).status).toBe(200);
  });

  it('that was saved before by a key with the scope is renamed and reordered without it', async () => {
    const { id: template_id } = await aTemplate(host, shop, { steps: sending() });
    const { body: rule } = await makeRule(reading, { template_id });
    for (const wish of [{ name: 'Less' }, { priority: 3 }, { enabled: false }])
      expect((await host.call('PATCH', `${RULES}/${rule.id}`, wish, { key: blind })).status).toBe(200);
    expect((await host.call('PATCH', `${TEMPLATES}/${template_id}`, { name: 'New' }, { key: blind })).status).toBe(200);
  });
});
