import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOrganization } from '#lib/local/new-organization.ts';
import { LOST_AFTER } from '#shared/domain/webhooks/delivery.rules.ts';
import { signingSecret, signingSecretContext } from '#shared/domain/webhooks/webhook-signature.rules.ts';
import { DAY, MINUTE, plus } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { keys } from '#shared/store/keys.ts';
import { type AwsAccount, startAwsAccount, TABLE } from '#test/support/aws-account.ts';
import { awsDeps } from '#test/support/aws-deps.ts';
import { aContext, apiEvent, sqsEvent, streamEvent } from '#test/support/aws-events.ts';
import { wireError } from '#test/support/aws-wire.ts';
import { dynamoDbSuite } from '#test/support/dynamodb-suite.ts';

/** Messages name the run that sent them. */
const RUN = expect.stringMatching(/^run_\w{26} [0-9a-f]{32}$/);
const LONG_AGO = '2020-01-01T00:00:00.000Z';

dynamoDbSuite('functions that nobody calls', (local) => {
  let account: AwsAccount;
  let deps: Deps;
  let orgId: string;
  let headers: Record<string, string>;
  let made = 0;

  beforeAll(async () => {
    account = await startAwsAccount(local());
    deps = await awsDeps();
    const { org_id, key } = await createOrganization(
      { name: 'Shop', legal_name: 'Shop Ltd', kyc: 'approved', plan: 'scale' },
      deps,
    );
    orgId = org_id;
    headers = { authorization: `Bearer ${key}` };
  });
  afterAll(() => account?.stop());
  beforeEach(() => account.bus.refuse(() => undefined));

  const relay = async () =>
    (await account.asFunction('relay', () => import('#functions/relay/relay.lambda.ts'))).handler;
  const delivery = async () =>
    (
      await account.asFunction(
        'webhook-delivery',
        () => import('#functions/webhook-delivery/webhook-delivery.lambda.ts'),
      )
    ).handler;
  const timers = async () =>
    (await account.asFunction('timers', () => import('#functions/timers/timers.lambda.ts'))).handler;
  const announced = (paymentId: string) =>
    account.bus.taken.filter(({ detail }) => detail.id === eventOf.get(paymentId));
  const eventOf = new Map<string, string>();

  /**
   * A payment that waits for its confirmation with its event still pending, and its change as the stream delivers it.
   */
  async function aPayment() {
    const { handler } = await account.asFunction('payments', () => import('#functions/payments/payments.lambda.ts'));
    made += 1;
    const posted = {
      headers: { ...headers, 'idempotency-key': `key-${made}` },
      body: { amount: 100, currency: 'EUR' },
    };
    const { body = '' } = await handler(apiEvent('POST /v1/payments/intents', posted), aContext());
    const { id } = JSON.parse(body) as { id: string };
    const key = { pk: { S: keys.payment(id).pk }, sk: { S: keys.payment(id).sk } };
    const { Item } = await local().client.send(
      new GetItemCommand({ TableName: TABLE, Key: key, ConsistentRead: true }),
    );
    eventOf.set(id, (await outboxOf(id))[0] ?? '');
    return { id, change: { key, new: Item! } };
  }
  const outboxOf = async (id: string) => ((await deps.payments.byId(id))?.outbox ?? []).map((stub) => stub.id);

  describe('the relay', () => {
    it('publishes the events of a payment, and removes them from its outbox', async () => {
      const { id, change } = await aPayment();
      expect(await outboxOf(id)).toHaveLength(1);
      expect(await (await relay())(streamEvent(change), aContext())).toEqual({ batchItemFailures: [] });
      expect(announced(id)).toMatchObject([{ source: 'payfork', detail: { org_id: orgId } }]);
      expect(await outboxOf(id)).toEqual([]);
    });

    it('reports the record to resume from by its sequence number', async () => {
      const [first, second, third] = [await aPayment(), await aPayment(), await aPayment()];
      account.bus.refuse(({ id }) => (id === eventOf.get(second.id) ? 'NotAuthorizedForSourceException' : undefined));
      const event = streamEvent(
        { ...first.change, seq: '99' },
        { ...second.change, seq: '100' },
        { ...third.change, seq: '101' },
      );
      expect(await (await relay())(event, aContext())).toEqual({ batchItemFailures: [{ itemIdentifier: '100' }] });
      expect([announced(first.id).length, announced(second.id).length]).toEqual([1, 0]);
    });

    it('skips other records and deleted payments', async () => {
      const { change } = await aPayment();
      expect(await (await relay())(streamEvent(), aContext())).toEqual({ batchItemFailures: [] });
      expect(await (await relay())(streamEvent({ key: change.key, old: change.new }), aContext())).toEqual({
        batchItemFailures: [],
      });
    });
  });

  describe('the projector', () => {
    const projector = async () =>
      (await account.asFunction('projector', () => import('#functions/projector/projector.lambda.ts'))).handler;
    const windowed = (event: DynamoDBStreamEvent, shardId?: string) => ({ ...event, ...(shardId && { shardId }) });
    const counted = async () => {
      // Midnight may come between a payment and its count.
      const [from, to] = [new Date(Date.now() - DAY), new Date()].map((at) => at.toISOString().slice(0, 10)) as [
        string,
        string,
      ];
      return (await deps.totals.days(orgId, { from, to })).reduce((sum, total) => sum + (total.sums.created ?? 0), 0);
    };

    it('counts a payment once however often its change is delivered', async () => {
      const { change } = await aPayment();
      const before = await counted();
      const event = windowed(streamEvent({ ...change, seq: '700' }), 'shard-1');
      for (let told = 0; told < 3; told += 1)
        expect(await (await projector())(event, aContext())).toEqual({
          batchItemFailures: [],
          state: { nothingHeld: true },
        });
      expect(await counted()).toBe(before + 1);
    });

    it('accepts the end of a window, and rejects a batch without a shard', async () => {
      expect(await (await projector())({ Records: [] }, aContext())).toEqual({ batchItemFailures: [], state: {} });
      const { change } = await aPayment();
      await expect((await projector())(windowed(streamEvent(change)), aContext())).rejects.toThrow('names no shard');
    });
  });

  describe('the delivery function', () => {
    it('reports only the messages that failed', async () => {
      // Of two payments: messages of one batch are handled at the same time.
      const [first, other] = [await aPayment(), await aPayment()];
      await (await relay())(streamEvent(first.change, other.change), aContext());
      const event = { id: eventOf.get(first.id), type: 'payment.created', org_id: orgId };
      const early = { org_id: orgId, event_id: eventOf.get(other.id), tries: 3 };
      const answer = await (await delivery())(
        sqsEvent(early, event, 'not json', { id: 'evt_unknown', org_id: orgId }),
        aContext(),
      );
      expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-0' }, { itemIdentifier: 'message-2' }] });
      // This organization has no webhook configuration.
      expect(await deps.events.get(orgId, event.id ?? '')).toMatchObject({ status: 'skipped' });
    });

    it('moves events of failing endpoints to the slow queue, whose function delivers them', async () => {
      const [org_id, at] = [newId('organization', deps.clock.now()), deps.clock.now()];
      const sealed_secret = await deps.vault.seal(
        new Secret(signingSecret(Buffer.alloc(24, 7))),
        signingSecretContext(org_id),
      );
      const times = { created_at: at.toISOString(), updated_at: at.toISOString() };
      // A URL that is never called.
      const receiver = {
        org_id,
        url: 'https://127.0.0.1/hook',
        events: ['*'],
        enabled: true,
        sealed_secret,
        version: 1,
        audits: 0,
        ...times,
      };
      await deps.webhookConfigs.save(receiver);
      await deps.webhookConfigs.recordFailing(receiver, 'failing_since', plus(at, -2 * MINUTE));
      const id = newId('event', at);
      const plain = {
        type: 'payment.created',
        data: { id: 'pay_1' },
        status: 'pending',
        attempts: [],
        next_attempt_at: null,
      } as const;
      await deps.events.record({ id, org_id, created_at: at.toISOString(), ...plain });
      const message = { id, type: 'payment.created', org_id };

      expect(await (await delivery())(sqsEvent(message), aContext())).toEqual({ batchItemFailures: [] });
      expect(
        account.sqs.server.inspectQueue('slow-deliveries')?.messages.ready.map(({ body }) => JSON.parse(body)),
      ).toMatchObject([{ org_id, event_id: id, tries: 0 }]);
      const { handler } = await account.asFunction(
        'slow-deliveries',
        () => import('#functions/slow-deliveries/slow-deliveries.lambda.ts'),
      );
      await account.sqs.poll('slow-deliveries', async (event) => handler(event, aContext()));
      expect(await deps.events.get(org_id, id)).toMatchObject({
        status: 'pending',
        tries: 1,
        attempts: [{ error: 'not allowed' }],
      });
      const { ready = [], delayed = [] } = account.sqs.server.inspectQueue('slow-deliveries')?.messages ?? {};
      expect([ready, delayed.map(({ body }) => JSON.parse(body))]).toEqual([
        [],
        [{ org_id, event_id: id, tries: 1, trace: RUN }],
      ]);
    });
  });

  describe('a first attempt that fails', () => {
    const lanes = {
      'webhook-delivery': delivery,
      'slow-deliveries': async () =>
        (
          await account.asFunction(
            'slow-deliveries',
            () => import('#functions/slow-deliveries/slow-deliveries.lambda.ts'),
          )
        ).handler,
    };

    it.each(Object.entries(lanes))(
      'is found by the sweep from the second receive of its message on: %s',
      async (_, lane) => {
        const [org_id, at] = [newId('organization', deps.clock.now()), deps.clock.now()];
        const times = { created_at: at.toISOString(), updated_at: at.toISOString() };
        // Its secret cannot be decrypted.
        await deps.webhookConfigs.save({
          org_id,
          url: 'https://shop.example',
          events: ['*'],
          enabled: true,
          sealed_secret: 'broken',
          version: 1,
          audits: 0,
          ...times,
        });
        const id = newId('event', at);
        const plain = {
          type: 'payment.created',
          data: { id: 'pay_1' },
          status: 'pending',
          attempts: [],
          next_attempt_at: null,
        } as const;
        await deps.events.record({ id, org_id, created_at: at.toISOString(), ...plain });
        const dueAfter = async (receives: number): Promise<string> => {
          const { Records } = sqsEvent({ id, type: 'payment.created', org_id });
          const received = Records.map((record) => ({
            ...record,
            attributes: { ...record.attributes, ApproximateReceiveCount: String(receives) },
          }));
          expect((await (await lane())({ Records: received }, aContext()))?.batchItemFailures).toHaveLength(1);
          return String((await account.table.get(keys.event(org_id, id)))?.due_sk);
        };
        expect(await dueAfter(1)).toBe('undefined');
        const [due] = (await dueAfter(2)).split('#');
        expect(Date.parse(due ?? '') - at.getTime()).toBeGreaterThanOrEqual(LOST_AFTER);
      },
    );
  });

  describe('the timers function', () => {
    it('sweep due entries into their queue and process them from there', async () => {
      const { id } = await aPayment();
      await account.table.update(keys.payment(id), { set: { due_pk: 'DUE#0', due_sk: `${LONG_AGO}#${id}` } });
      const handler = await timers();
      expect(await handler({ schedule: 'sweep-due' }, aContext())).toBeUndefined();
      const waiting = account.sqs.server.inspectQueue('timers')?.messages.ready.map(({ body }) => JSON.parse(body));
      expect(waiting).toEqual([{ kind: 'payment', id, at: LONG_AGO, trace: RUN }]);

      await account.sqs.poll(
        'timers',
        async (event) => (await handler(event, aContext())) ?? { batchItemFailures: [] },
      );
      expect(account.sqs.server.inspectQueue('timers')?.messages).toMatchObject({ ready: [], inflight: [] });
    });

    it('reject an unknown schedule', async () => {
      await expect((await timers())({ schedule: 'sweep-all' }, aContext())).rejects.toThrow(
        'There is no schedule sweep-all.',
      );
    });

    it('report a malformed message', async () => {
      expect(await (await timers())(sqsEvent({ kind: 'invoice' }), aContext())).toEqual({
        batchItemFailures: [{ itemIdentifier: 'message-0' }],
      });
    });
  });

  it('a function whose first invocation could not load its secrets loads them at the next, and only then', async () => {
    vi.resetModules();
    account.kms.fail(wireError('AccessDeniedException'));
    const handler = await timers();
    await expect(handler(sqsEvent(), aContext())).rejects.toMatchObject({ name: 'AccessDeniedException' });
    const asked = () => account.kms.calls.filter(({ operation }) => operation === 'GenerateMac').length;
    const before = asked();
    expect(await handler(sqsEvent(), aContext())).toEqual({ batchItemFailures: [] });
    const loaded = asked();
    await handler(sqsEvent(), aContext());
    expect([loaded > before, asked()]).toEqual([true, loaded]);
  });
});
