import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { faultsIn } from '#test/support/payment-steps.ts';
import {
  anIntegration,
  aRule,
  aTemplate,
  createRule,
  createTemplate,
  RULES,
  TEMPLATES,
} from '#test/support/workflows.ts';

/** A definition that could never evaluate or never succeed is rejected when it is saved. */

let host: TestHost;
let org: TestOrganization;
let crm: string;
let chat: string;
beforeAll(async () => {
  host = await startHost();
  org = await anOrganization(host);
  crm = (await anIntegration(host, org)).id;
  chat = (await anIntegration(host, org, { type: 'slack', config: { url: 'https://8.8.8.8/hook' } })).id;
});
afterAll(() => host?.close());

const verdict = (answer: ApiResponse) => [answer.status, answer.body.code, faultsIn(answer).toSorted()];
const messageOf = ({ body }: ApiResponse): string => body.details.fields[0].message;
const call = (method: string, path: string, body?: Body) => host.call(method, path, body, { key: org.key });
const aCondition = (text: string, more: Body = {}) => ({ id: 'decide', type: 'condition', if: text, ...more });
const ask = {
  id: 'ask',
  type: 'http_request',
  get integration_id() {
    return crm;
  },
};
const aNotification = (message: string) => ({ id: 'tell', type: 'notify', integration_id: chat, message });
const aTag = (metadata: Body = { seen: true }) => ({ id: 'tag', type: 'tag_payment', metadata });

const save = (...steps: readonly Body[]) => createTemplate(host, org, { steps });
const template = async (...steps: readonly Body[]): Promise<string> => (await aTemplate(host, org, { steps })).id;

describe('a template', () => {
  it.each<[string, () => readonly Body[], string]>([
    ['a field that the event lacks', () => [aCondition('event.amount > 1')], 'steps.0.if'],
    ['a field of a scalar event field', () => [aCondition('event.type.group == "payment"')], 'steps.0.if'],
    ['a field that no event has', () => [aCondition('data.nonsense == 1')], 'steps.0.if'],
    ['has() of a field that no event has', () => [aCondition('has(data.nonsense)')], 'steps.0.if'],
    ['a field that no failure has', () => [aNotification('{{ data.failure.reason }}')], 'steps.0.message'],
    ['a field of a number', () => [aNotification('{{ data.amount.value }}')], 'steps.0.message'],
    ['a field that the execution lacks', () => [aNotification('{{ execution.status }}')], 'steps.0.message'],
    ['an output that tag_payment lacks', () => [aTag(), aCondition('steps.tag.status_code == 200')], 'steps.1.if'],
    ['the response body of a request', () => [ask, aCondition('steps["ask"]["body"].approved == true')], 'steps.1.if'],
    [
      'an output of a delay',
      () => [{ id: 'wait', type: 'delay', for: '1m' }, aNotification('{{ steps.wait.until }}')],
      'steps.1.message',
    ],
    [
      'a field that no event has, nested in a body',
      () => [{ ...ask, body: { a: [{ b: '{{ data.nonsense }}' }] } }],
      'steps.0.body.a.0.b',
    ],
    [
      'a tag of a later step',
      () => [aTag({ by: '{{ steps.tell.status }}' }), aNotification('x')],
      'steps.0.metadata.by',
    ],
    ['a tag of a field that no event has', () => [aTag({ by: 'x{{ data.nonsense }}' })], 'steps.0.metadata.by'],
    ['a tag with an invalid expression', () => [aTag({ fine: '}}', by: '{{ 1 + }}' })], 'steps.0.metadata.by'],
    [
      'a refund reason of an unknown step',
      () => [{ id: 'give', type: 'refund_payment', reason: '{{ steps.nope.status }}' }],
      'steps.0.reason',
    ],
    [
      'a refund reason with an unclosed expression',
      () => [{ id: 'give', type: 'refund_payment', reason: '{{ data.id' }],
      'steps.0.reason',
    ],
  ])('is rejected with 400 when it refers to %s', async (_, steps, path) => {
    expect(verdict(await save(...steps()))).toEqual([400, 'invalid_request', [path]]);
  });

  it('is rejected with a message that names the available fields', async () => {
    expect(messageOf(await save(aCondition('event.amount > 1')))).toBe(
      'Refers to event.amount, but event has only id, type, created_at.',
    );
    expect(messageOf(await save(aCondition('data.failure.reason == "x"')))).toBe(
      'Refers to data.failure.reason, but no event has it.',
    );
    expect(messageOf(await save(aTag(), aNotification('{{ steps.tag.status_code }}')))).toBe(
      '{{ steps.tag.status_code }}: Refers to steps.tag.status_code, but a step of the type tag_payment has only status, payment_id.',
    );
  });

  it.each<[string, () => readonly Body[]]>([
    [
      'every output of its steps',
      () => [
        ask,
        aTag(),
        aCondition('steps.ask.status_code == 200 && steps.ask.duration_ms > 1 && steps.tag.payment_id == data.id'),
      ],
    ],
    [
      'any path in metadata',
      () => [aCondition('data.metadata.a.b == 1 && data.refund.metadata.c == 2 && data["failure"].code == "x"')],
    ],
    [
      'a key that is known only at run time',
      () => [ask, aCondition('data[data.currency] == 1 && event[data.currency] == "x" && steps.ask[data.id] == 1')],
    ],
    ['a local variable named data', () => [aCondition('data.methods.exists(data, data.nonsense == 1)')]],
    ['the id of the execution', () => [aNotification('Cancel {{ execution.id }}?'), aCondition('execution.id != ""')]],
  ])('may refer to %s', async (_, steps) => expect((await save(...steps())).status).toBe(201));
});

describe('a rule', () => {
  const rule = async (event: string, steps: readonly Body[], more: Body = {}) =>
    createRule(host, org, { event, template_id: await template(...steps), ...more });

  it.each([
    ['event.amount > 1', 'payment.failed'],
    ['data.country == "DE"', 'payment.failed'],
    ['has(data.country)', 'payment.failed'],
    ['data.failure.code == "x"', 'payment.succeeded'],
    ['data.amount > 1 && has(data.refund)', 'payment.failed'],
    ['data.failure.reason == "x"', 'payment.failed'],
    ['data.payment_id != null', 'subscription.renewed'],
    ['execution.id != ""', 'payment.failed'],
  ])('is rejected with 400 for the condition %s, which never holds for %s', async (condition, event) => {
    expect(verdict(await rule(event, [aCondition('true')], { condition }))).toEqual([
      400,
      'invalid_request',
      ['condition'],
    ]);
  });

  it.each([
    ['data.country == "DE"', 'subscription.created'],
    ['has(data.invoice_id) && data.failure.category == "fraud"', 'payment.failed'],
    ['data.refund.amount > 1 && data.refund.failure == null', 'payment.refunded'],
    ['data.payment_id != null', 'invoice.created'],
    ['data.methods.exists(method, method == "card")', 'payment_link.paid'],
  ])('accepts the condition %s for %s', async (condition, event) => {
    const { status, body } = await rule(event, [aCondition('true')], { condition });
    expect(status).toBe(201);
    await call('DELETE', `${RULES}/${body.id}`);
  });

  const DOING = ['tag_payment', 'cancel_payment', 'capture_payment', 'refund_payment', 'pause_subscription'] as const;
  const [CANCEL, CAPTURE, PAUSE] = ['cancel_payment', 'capture_payment', 'pause_subscription'];
  const NEVER: Readonly<Record<string, readonly string[]>> = {
    'payment.succeeded': [CANCEL, CAPTURE],
    'payment.canceled': [CANCEL, CAPTURE, 'refund_payment'],
    'payment.refunded': [CANCEL, CAPTURE],
    'subscription.canceled': [...DOING],
    'invoice.paid': [CANCEL, CAPTURE],
    'payment_link.paid': [CANCEL, PAUSE],
    'dispute.created': [CANCEL, PAUSE],
    'dispute.updated': [CANCEL, PAUSE],
    'dispute.response_due': [CANCEL, PAUSE],
    'dispute.closed': [CANCEL, PAUSE],
  };
  const ofSubscriptions = DOING.filter((type) => type !== PAUSE);

  const templates: Record<string, string> = {};
  beforeAll(async () => {
    for (const type of DOING)
      templates[type] = await template({
        id: 'act',
        type,
        ...(type === 'tag_payment' && { metadata: { seen: true } }),
      });
  });

  it.each(EVENT_TYPES.filter((type) => type !== 'service.webhook.test'))(
    'accepts for %s the actions that can succeed for it, now or later',
    async (event) => {
      const expected = NEVER[event] ?? (event.startsWith('subscription.') ? ofSubscriptions : []);
      const refused: string[] = [];
      for (const type of DOING) {
        const answer = await createRule(host, org, { event, template_id: templates[type] });
        if (answer.status === 201) await call('DELETE', `${RULES}/${answer.body.id}`);
        // A rule that would trigger itself is refused with workflow_loop, which other tests cover.
        else if (answer.body.code !== 'workflow_loop') refused.push(`${type} ${faultsIn(answer)}`);
      }
      expect(refused).toEqual(expected.map((type) => `${type} template_id`));
    },
  );

  it('names the step that cannot succeed, and the reason', async () => {
    const answer = await rule('subscription.created', [aTag()]);
    expect(messageOf(answer)).toBe(
      'The step tag (tag_payment) cannot succeed for subscription.created: the event is about a subscription, not a payment.',
    );
    const asks = await rule('payment.succeeded', [aCondition('data.failure.code == "x"')]);
    expect(messageOf(asks)).toBe('The step decide needs data.failure, which payment.succeeded never has.');
  });

  const cancel = { id: 'cancel', type: 'cancel_payment' };
  it.each<[string, number, readonly Body[]]>([
    [
      'a step behind a condition on the type of another event is unreachable',
      201,
      [aCondition('event.type == "payment.created"'), cancel],
    ],
    [
      'a step behind a condition on the type of this event is reachable',
      400,
      [aCondition('event.type == "payment.succeeded"'), cancel],
    ],
    [
      'a step behind has() of a field that the event never has is unreachable',
      201,
      [aCondition('has(data.failure)'), cancel],
    ],
    ['a step behind has() of an optional field is reachable', 400, [aCondition('has(data.invoice_id)'), cancel]],
    [
      'a step on the else branch of a condition is reachable',
      400,
      [aCondition('event.type == "payment.created"', { else: 'cancel' }), cancel],
    ],
  ])('accepts a step that cannot succeed only if it is unreachable: %s', async (_, status, steps) => {
    const answer = await rule('payment.succeeded', steps);
    expect(answer.status).toBe(status);
    if (status === 201) await call('DELETE', `${RULES}/${answer.body.id}`);
  });

  it.each<[string, number]>([
    ['data.failure.code == "x"', 400],
    ['data.amount > 1 && data.failure.code == "x"', 400],
    ['has(data.failure) && data.failure.code == "x"', 201],
    ['has(data.failure) && data.failure.code == "x" && data.amount > 1', 201],
    ['event.type == "payment.failed" && data.failure.code == "x" && data.amount > 1', 201],
  ])('for payment.succeeded accepts a template only if its condition can evaluate: %s', async (text, status) => {
    const answer = await rule('payment.succeeded', [aCondition(text)]);
    expect(answer.status).toBe(status);
    if (status === 201) await call('DELETE', `${RULES}/${answer.body.id}`);
  });

  it('is checked again when its event, condition or template changes, and can always be disabled', async () => {
    const made = (await rule('payment.failed', [aTag()])).body;
    const change = (wish: Body) => call('PATCH', `${RULES}/${made.id}`, wish);
    expect(verdict(await change({ event: 'subscription.created' }))).toEqual([400, 'invalid_request', ['template_id']]);
    expect(verdict(await change({ condition: 'has(data.refund)' }))).toEqual([400, 'invalid_request', ['condition']]);
    expect((await call('GET', `${RULES}/${made.id}`)).body).toEqual(made);
    // Stored as if it had been saved before this check existed.
    const definitions = await host.deps.workflows.definitions(org.org_id);
    const stored = definitions.rules.find(({ id }) => id === made.id)!;
    await host.deps.workflows.change(org.org_id, definitions, {
      kind: 'rule',
      save: { ...stored, event: 'subscription.created' },
    });
    expect((await change({ enabled: false, name: 'Off' })).body).toMatchObject({ enabled: false, name: 'Off' });
    expect((await change({ enabled: true })).status).toBe(400);
  });
});

describe('a change of a template', () => {
  it('is rejected with 400 when its steps cannot succeed for a rule that uses it', async () => {
    const id = await template(aCondition('true'));
    const rule = await aRule(host, org, {
      name: 'Mine',
      event: 'subscription.renewed',
      template_id: id,
      enabled: false,
    });
    const answer = await call('PATCH', `${TEMPLATES}/${id}`, { steps: [aCondition('data.amount > 1'), aTag()] });
    expect(verdict(answer)).toEqual([400, 'invalid_request', ['steps.1.type']]);
    expect(messageOf(answer)).toContain(`The rule "Mine" (${rule.id}) runs this template.`);
    expect(
      verdict(await call('PATCH', `${TEMPLATES}/${id}`, { steps: [aCondition('data.failure.code == "x"')] }))[2],
    ).toEqual(['steps.0.if']);
    expect((await call('PATCH', `${TEMPLATES}/${id}`, { steps: [aCondition('data.plan_id == "x"')] })).status).toBe(
      200,
    );
  });

  it('is rejected with 400 when its steps cannot succeed for a connection that uses it', async () => {
    const own = await anOrganization(host);
    const { id } = await aTemplate(host, own);
    const change = (text: string) =>
      host.call('PATCH', `${TEMPLATES}/${id}`, { steps: [aCondition(text)] }, { key: own.key });
    expect((await change('data.plan_id == "x"')).status).toBe(200);
    await change('data.amount > 1');
    await aConnection(host, own, { id: 'mine', workflow_id: id });
    const answer = await change('data.plan_id == "x"');
    expect(verdict(answer)).toEqual([400, 'invalid_request', ['steps.0.if']]);
    expect(messageOf(answer)).toContain('The connection mine runs this template.');
    expect((await change('data.failure.code == "x"')).status).toBe(200);
  });
});

describe('a connection', () => {
  it('accepts a template that can succeed for one of its events, and rejects others', async () => {
    const runs = async (...steps: readonly Body[]) => {
      const workflow_id = await template(...steps);
      return call('POST', '/v1/connections', { id: 'mine', workflow_id });
    };
    await aConnection(host, org, { id: 'mine' });
    expect(
      (await runs(aTag(), { id: 'cancel', type: 'cancel_payment' }, aCondition('data.failure.code == "x"'))).status,
    ).toBe(200 + 1);
    expect(verdict(await runs(aCondition('data.plan_id == "x"')))).toEqual([400, 'invalid_request', ['workflow_id']]);
    const late = [aCondition('event.type == "payment.succeeded"'), { id: 'cancel', type: 'cancel_payment' }];
    expect(verdict(await runs(...late))).toEqual([400, 'invalid_request', ['workflow_id']]);
  });
});
