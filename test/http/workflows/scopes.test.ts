import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { keyWith } from '#test/support/payment-steps.ts';
import { anEvent, aRule, aTemplate, createTemplate, EXECUTIONS, RULES, TEMPLATES } from '#test/support/workflows.ts';

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
