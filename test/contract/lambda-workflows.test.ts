import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createOrganization } from '#lib/local/new-organization.ts';
import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { factsOf } from '#shared/domain/workflows/execution.rules.ts';
import { fillText } from '#shared/domain/workflows/expression.rules.ts';
import type { Integration, Step } from '#shared/domain/workflows/workflow.model.ts';
import { awsEnv } from '#shared/env.ts';
import { newId } from '#shared/kernel/ids.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { DefinitionChange } from '#shared/ports/workflows.port.ts';
import { keys } from '#shared/store/keys.ts';
import { type AwsAccount, startAwsAccount } from '#test/support/aws-account.ts';
import { awsDeps } from '#test/support/aws-deps.ts';
import { aContext, apiEvent, sqsEvent } from '#test/support/aws-events.ts';
import { dynamoDbSuite } from '#test/support/dynamodb-suite.ts';
import { type SesFake, startSesFake } from '#test/support/ses-fake.ts';

const FROM = 'payfork@example.com';
const LONG_AGO = '2020-01-01T00:00:00.000Z';

dynamoDbSuite('the function of the workflows', (local) => {
  let account: AwsAccount;
  let ses: SesFake;
  let deps: Deps;
  let orgId: string;
  let key: string;

  beforeAll(async () => {
    [account, ses] = [await startAwsAccount(local()), await startSesFake(FROM)];
    vi.stubEnv('AWS_ENDPOINT_URL_SESV2', ses.endpoint);
    vi.stubEnv('MAIL_FROM', FROM);
    deps = await awsDeps();
    const made = await createOrganization(
      { name: 'Shop', legal_name: 'Shop Ltd', kyc: 'approved', plan: 'scale' },
      deps,
    );
    [orgId, key] = [made.org_id, made.key];
  });
  afterAll(async () => {
    await account?.stop();
    await ses?.stop();
  });

  const runs = async () =>
    (await account.asFunction('workflow-runs', () => import('#functions/workflow-runs/workflow-runs.lambda.ts')))
      .handler;
  const timers = async () =>
    (await account.asFunction('timers', () => import('#functions/timers/timers.lambda.ts'))).handler;
  const waiting = () =>
    (account.sqs.server.inspectQueue('workflow-runs')?.messages.ready ?? []).map(({ body }) => JSON.parse(body));
  /** Until the queue is empty. */
  async function carryOut() {
    const handler = await runs();
    while (waiting().length > 0) await account.sqs.poll('workflow-runs', async (event) => handler(event, aContext()));
  }

  async function save(change: DefinitionChange): Promise<void> {
    expect(await deps.workflows.change(orgId, await deps.workflows.definitions(orgId), change)).toBe(true);
  }
  const about = (kind: 'integration' | 'template' | 'workflowRule') => {
    const at = new Date();
    return {
      id: newId(kind, at),
      org_id: orgId,
      name: 'Tell us',
      version: 1,
      created_at: at.toISOString(),
      updated_at: at.toISOString(),
    };
  };

  /** A template of these steps, with a rule that runs it for events of this type. */
  async function aWorkflow(event: EventRecord['type'], steps: readonly Step[]): Promise<string> {
    const template = { ...about('template'), steps };
    await save({ kind: 'template', save: template });
    const rule = {
      ...about('workflowRule'),
      event,
      condition: null,
      template_id: template.id,
      enabled: true,
      priority: 0,
    };
    await save({ kind: 'rule', save: { ...rule, counts_since: rule.created_at } });
    return template.id;
  }

  /** The event as the relay records it, and the message as the bus delivers it. */
  async function anEvent(type: EventRecord['type'], data: EventRecord['data']) {
    const at = new Date();
    const about = { id: newId('event', at), org_id: orgId, type };
    const event = await deps.events.record({
      ...about,
      created_at: at.toISOString(),
      data,
      status: 'pending',
      attempts: [],
      next_attempt_at: null,
    });
    return { event, message: about };
  }
  const executionsOf = async (template_id: string) =>
    (await deps.executions.list(orgId, { limit: 10, offset: 0, template_id })).items;

  it('an event starts its execution once, however often it is delivered, and the execution sends its mail', async () => {
    const integration: Integration = {
      ...about('integration'),
      type: 'email',
      config: { to: ['one@example.com', 'two@example.com'] },
      enabled: true,
      sealed_secrets: null,
    };
    await save({ kind: 'integration', save: integration });
    const message = 'It failed: {{ data.failure.code }}.';
    const template = await aWorkflow('payment.failed', [
      { id: 'tell', type: 'notify', integration_id: integration.id, message, subject: 'Failed' },
    ]);
    const failed = await anEvent('payment.failed', { id: 'pay_1', failure: { code: 'card_declined' } });

    const handler = await runs();
    expect(await handler(sqsEvent(failed.message, failed.message), aContext())).toEqual({ batchItemFailures: [] });
    expect(ses.taken).toEqual([]);
    await carryOut();

    expect(await executionsOf(template)).toMatchObject([
      { status: 'succeeded', steps: [{ id: 'tell', status: 'succeeded' }] },
    ]);
    const text = fillText(message, factsOf(failed.event, { id: 'wfx_1', steps: [] }));
    expect(ses.taken.map(({ from, to, subject }) => [from, to, subject])).toEqual([
      [FROM, 'one@example.com', 'Failed'],
      [FROM, 'two@example.com', 'Failed'],
    ]);
    expect(ses.taken.filter((mail) => mail.text.includes(text))).toHaveLength(2);
  });

  it('the secrets of an integration are decrypted with the key for integrations', async () => {
    const own = about('integration');
    const secrets = new Secret(
      JSON.stringify({
        signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        headers: { authorization: 'Bearer of-the-shop' },
      }),
    );
    const sealed_secrets = await deps.vault.seal(secrets, { orgId, purpose: 'integration', id: own.id });
    // Nothing listens there: this function calls no address of its own network.
    const config = { url: 'https://127.0.0.1/hook', headers: { authorization: '****' } };
    await save({
      kind: 'integration',
      save: { ...own, type: 'http', config, signing_secret: '****', enabled: true, sealed_secrets },
    });
    const template = await aWorkflow('invoice.paid', [{ id: 'call', type: 'http_request', integration_id: own.id }]);
    const opened = () =>
      account.kms.calls.filter(
        ({ operation, body }) => operation === 'Decrypt' && body.EncryptionContext.org_id === orgId,
      );

    const before = opened().length;
    await (await runs())(sqsEvent((await anEvent('invoice.paid', { id: 'inv_1' })).message), aContext());
    await carryOut();
    expect(await executionsOf(template)).toMatchObject([{ status: 'failed', error: { code: 'request_failed' } }]);
    expect(
      opened()
        .slice(before)
        .map(({ body }) => [body.KeyId, body.EncryptionContext.kind]),
    ).toEqual([[awsEnv().keys.secrets, 'integration']]);
  });

  it('a message that is delivered again first records a failure of its event', async () => {
    const { event, message } = await anEvent('subscription.updated', { id: 'sub_1' });
    const handle = async (times: string) => {
      const { Records } = sqsEvent(message);
      const again = Records.map((record) => ({
        ...record,
        attributes: { ...record.attributes, ApproximateReceiveCount: times },
      }));
      expect(await (await runs())({ Records: again }, aContext())).toEqual({ batchItemFailures: [] });
      return deps.executions.pendingStart(event.id);
    };
    expect([await handle('1'), (await handle('2'))?.id]).toEqual([undefined, event.id]);
  });

  it("the sweep's messages continue executions, and those of deleted ones are skipped", async () => {
    const template = await aWorkflow('subscription.created', [{ id: 'later', type: 'delay', for: '3d' }]);
    await (await runs())(sqsEvent((await anEvent('subscription.created', { id: 'sub_1' })).message), aContext());
    await carryOut();
    const [execution] = await executionsOf(template);
    expect(execution).toMatchObject({ status: 'waiting' });

    const [id, gone] = [execution!.id, newId('execution', new Date())];
    const due = (of: string) => ({ due_pk: 'DUE#0', due_sk: `${LONG_AGO}#${of}#${orgId}` });
    await account.table.update(keys.execution(id), { set: { ...due(id), next_step_at: LONG_AGO } });
    await account.table.put({ pk: keys.execution(gone).pk, sk: 'LEFT', ...due(gone) });
    await (await timers())({ schedule: 'sweep-due' }, aContext());
    const brought = [id, gone].map((each) => ({
      kind: 'execution',
      id: each,
      at: LONG_AGO,
      org_id: orgId,
    }));
    expect(waiting()).toHaveLength(2);
    expect(waiting()).toEqual(expect.arrayContaining(brought.map((message) => expect.objectContaining(message))));
    await carryOut();
    expect(await executionsOf(template)).toMatchObject([{ status: 'succeeded' }]);
    expect(account.sqs.dead('workflow-runs')).toEqual([]);
  });

  it('a request over HTTP starts an execution, with the secrets of its integration encrypted', async () => {
    const { handler } = await account.asFunction('workflows', () => import('#functions/workflows/workflows.lambda.ts'));
    const post = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() };
      const { statusCode, body: text = '' } = await handler(
        apiEvent(`POST /v1/workflows/${path}`, { headers, body }),
        aContext(),
      );
      return { status: statusCode, body: JSON.parse(text) };
    };
    const config = { url: 'https://203.0.113.7/hook', headers: { authorization: 'Bearer of-the-shop' } };
    expect(await post('integrations', { name: 'Shop', type: 'http', config })).toMatchObject({
      status: 400,
      body: { code: 'url_not_allowed' },
    });
    const integration = await post('integrations', {
      name: 'Shop',
      type: 'http',
      config: { ...config, url: 'https://8.8.8.8/hook' },
    });
    expect([integration.status, account.kms.calls.at(-1)?.operation, account.kms.calls.at(-1)?.body.KeyId]).toEqual([
      201,
      'GenerateDataKey',
      awsEnv().keys.secrets,
    ]);

    const template = await post('templates', {
      name: 'Look',
      steps: [{ id: 'look', type: 'condition', if: "data.id == 'inv_2'" }],
    });
    const { event } = await anEvent('invoice.failed', { id: 'inv_2' });
    const begun = await post('executions', { template_id: template.body.id, event_id: event.id });
    expect(begun).toMatchObject({ status: 201, body: { status: 'pending' } });
    expect(waiting()).toMatchObject([{ kind: 'execution', id: begun.body.id }]);
    await carryOut();
    expect(await executionsOf(template.body.id)).toMatchObject([
      { id: begun.body.id, status: 'succeeded', steps: [{ output: { holds: true } }] },
    ]);
  });

  it('malformed messages and those of other queues are reported', async () => {
    const event = sqsEvent({ kind: 'execution' }, { kind: 'payment', id: 'pay_1', at: LONG_AGO }, 'not json');
    const failed = [0, 1, 2].map((n) => ({ itemIdentifier: `message-${n}` }));
    expect(await (await runs())(event, aContext())).toEqual({ batchItemFailures: failed });
  });
});
