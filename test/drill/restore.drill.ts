import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { accessKeyOf } from '#lib/local/data-folder.ts';
import { TABLE } from '#lib/local/dynamo-store.ts';
import { emulatorClient, startDynamoDbLocal } from '#lib/local/dynamodb-local.ts';
import { reportText } from '#lib/recovery/recovery-report.ts';
import { monotonic } from '#shared/kernel/clock.ts';
import { dynamoClient } from '#shared/store/dynamo/dynamo-client.ts';
import { createTable } from '#shared/store/dynamo/dynamo-schema.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain, moneyOf } from '#test/support/payment-steps.ts';
import { goOn, openShops, openSubscription, pay, reconcileGap, type Shop } from '#test/support/restore-drill.ts';
import { replaceableTable } from '#test/support/restored-table.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/**
 * A restore on DynamoDB Local, as `docs/recovery.md` describes it. DynamoDB Local has no point-in-time recovery: all
 * items are copied at that time by a scan, and loaded into a new table. What AWS takes for that is not measured here.
 */
const CHARGES = Number(process.argv[2] ?? 200);
const RESTORED = `${TABLE}-restored`;

type Items = Record<string, AttributeValue>[];
const seconds = (since: number): string => ((monotonic() - since) / 1_000).toFixed(1);
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

async function copyOf(client: DynamoDBClient): Promise<Items> {
  const items: Items = [];
  for await (const { Items: page = [] } of paginateScan({ client }, { TableName: TABLE, ConsistentRead: true }))
    items.push(...page);
  return items;
}

async function load(client: DynamoDBClient, items: Items): Promise<void> {
  await createTable(client, RESTORED);
  for (let n = 0; n < items.length; n += 25) {
    const requests = items.slice(n, n + 25).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [RESTORED]: requests } }));
  }
}

/** Payments that are charged after the copy, several at once. */
async function charge(host: TestHost, shop: Shop, count: number): Promise<readonly { key: string; id: string }[]> {
  const keys = Array.from({ length: count }, (_, n) => `many-${n}`);
  const paid: { key: string; id: string }[] = [];
  for (let n = 0; n < count; n += 10)
    paid.push(
      ...(await Promise.all(
        keys.slice(n, n + 10).map(async (key) => ({ key, id: (await pay(host, shop, key)).body.id as string })),
      )),
    );
  return paid;
}

/** The ids that are charged other than once, after each key was repeated. */
async function wronglyCharged(host: TestHost, shop: Shop, paid: readonly { key: string; id: string }[]) {
  const wrong: string[] = [];
  for (const { key, id } of paid) {
    const again = await pay(host, shop, key);
    if (again.body.id !== id || (await moneyOf(host, id)).count !== 1) wrong.push(id);
  }
  return wrong;
}

const { endpoint, stop } = await startDynamoDbLocal();
const folder = await temporaryFolder();
const dataDir = folder.path('data');
const table = replaceableTable();
const host = await startHost({
  dataDir,
  store: 'dynamodb',
  emulator: endpoint,
  wrapTable: table.wrap,
  wrapDue: table.wrapDue,
});
const client = dynamoClient(emulatorClient(endpoint, accessKeyOf(dataDir, 'sandbox-dynamodb')));
try {
  const shops = await openShops(host);
  const stripe = shops.find(({ provider }) => provider === 'stripe');
  if (!stripe) throw new Error('There is no shop at Stripe.');
  await openSubscription(host, stripe);
  await drain(host);
  const items = await copyOf(client);
  say(`Copied ${items.length} items. The service goes on for a month.`);
  const gap = await goOn(host, shops);
  const paid = await charge(host, stripe, CHARGES);
  await drain(host);
  say(`After the copy: ${gap.payments.length + paid.length} payments, ${shops.length} refunds, 1 renewal.`);

  const loading = monotonic();
  await load(client, items);
  table.replaceBy(new DynamoTable({ client, tableName: RESTORED }));
  say(`The copy is in the new table ${RESTORED} after ${seconds(loading)} s.\n`);
  const reconciling = monotonic();
  const report = await reconcileGap(host, gap, true);
  const took = seconds(reconciling);
  say(reportText(report));
  const recovered = report.charges.filter(({ result }) => result === 'recovered').length;
  say(`${recovered} payments recovered in ${took} s: ${(recovered / Number(took)).toFixed(0)} a second.`);
  const wrong = await wronglyCharged(host, stripe, paid);
  say(
    `Every key was repeated: ${paid.length - wrong.length} of ${paid.length} give the payment of then, charged once.`,
  );
  await advance(host, '5m');
  await drain(host);
  if (wrong.length > 0 || recovered !== CHARGES + shops.length) process.exitCode = 1;
} finally {
  client.destroy();
  await host.close();
  await folder.remove();
  await stop();
}
