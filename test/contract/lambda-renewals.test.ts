import { afterAll, beforeAll, expect, it } from 'vitest';
import { indexKeys } from '#shared/store/keys.ts';
import { type AwsAccount, startAwsAccount } from '#test/support/aws-account.ts';
import { aContext, sqsEvent } from '#test/support/aws-events.ts';
import { putDue, subscriptionId } from '#test/support/due-entries.ts';
import { dynamoDbSuite } from '#test/support/dynamodb-suite.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { START } from '#test/support/stopped-clock.ts';

dynamoDbSuite('the function of the renewals', (local) => {
  let account: AwsAccount;
  beforeAll(async () => {
    account = await startAwsAccount(local());
  });
  afterAll(() => account?.stop());

  const renewals = async () =>
    (await account.asFunction('renewals', () => import('#functions/renewals/renewals.lambda.ts'))).handler;
  const timers = async () =>
    (await account.asFunction('timers', () => import('#functions/timers/timers.lambda.ts'))).handler;
  const waiting = (queue: string) => account.sqs.server.inspectQueue(queue)?.messages.ready ?? [];

  it('receives the subscriptions and invoices that the sweep finds, and skips deleted ones', async () => {
    const id = subscriptionId(1);
    const [entry, inv] = [
      { id, at: START, shard: indexKeys.due(id), orgId: ORG },
      { pk: 'INV#inv_1', sk: 'INV' },
    ];
    await account.table.put({ ...inv, due_pk: 'DUE#0', due_sk: `${START.toISOString()}#inv_1` });
    await putDue(account.table, [entry]);
    await (await timers())({ schedule: 'sweep-due' }, aContext());
    const bodies = waiting('renewals').map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ kind }) => kind).sort()).toEqual(['invoice', 'subscription']);
    expect(bodies).toContainEqual(
      expect.objectContaining({ kind: 'subscription', id, at: START.toISOString(), org_id: ORG }),
    );
    expect(waiting('timers')).toEqual([]);

    await account.table.delete(inv);
    await account.table.delete({ pk: `SUB#${id}`, sk: 'SUB' });
    await account.sqs.poll('renewals', async (event) => (await renewals())(event, aContext()));
    expect(account.sqs.server.inspectQueue('renewals')?.messages).toMatchObject({ ready: [], inflight: [] });
  });

  it("reports malformed messages, and ones of the timers' queue", async () => {
    const event = sqsEvent({ kind: 'invoice' }, { kind: 'payment', id: 'pay_1', at: START.toISOString() }, 'not json');
    const failed = [0, 1, 2].map((n) => ({ itemIdentifier: `message-${n}` }));
    expect(await (await renewals())(event, aContext())).toEqual({ batchItemFailures: failed });
  });
});
