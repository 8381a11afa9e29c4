import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb';
import { accessKeyOf } from '#lib/local/data-folder.ts';
import { TABLE } from '#lib/local/dynamo-store.ts';
import { emulatorClient } from '#lib/local/dynamodb-local.ts';
import { dynamoClient } from '#shared/store/dynamo/dynamo-client.ts';
import { hostStore } from '#test/support/host-store.ts';

/** All items of the sandbox host with this folder, if its table is in the emulator. Tables are scanned only here. */
export async function storedInEmulator(folder: string): Promise<Readonly<Record<'the table', string>> | undefined> {
  const { store, emulator } = hostStore();
  if (store !== 'dynamodb') return undefined;
  const client = dynamoClient(emulatorClient(emulator ?? '', accessKeyOf(folder, 'sandbox-dynamodb')));
  const items: Record<string, AttributeValue>[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: TABLE, ConsistentRead: true }))
    items.push(...Items);
  client.destroy();
  return { 'the table': items.map((item) => JSON.stringify(item)).join('\n') };
}
