import {
  DescribeTableCommand,
  type DynamoDBClient,
  paginateScan,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { emulatorClient, startDynamoDbLocal } from '#lib/local/dynamodb-local.ts';
import type { LocalStore, StoreOptions } from '#lib/local/local-store.ts';
import { StreamFeed } from '#lib/local/stream-feed.ts';
import { streamSource } from '#lib/local/stream-source.ts';
import type { DueIndex } from '#shared/ports/due.port.ts';
import { dynamoClient } from '#shared/store/dynamo/dynamo-client.ts';
import { createTable } from '#shared/store/dynamo/dynamo-schema.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';
import { dueEnd, dueId, dueTime } from '#shared/store/keys.ts';
import { INDEXES } from '#shared/store/table/table.port.ts';

export const TABLE = 'payfork';
const WRITES = /^(Put|Update|Delete|TransactWrite)Item/;

/** The table and its stream, on this host's own emulator or on a running one. */
export async function openDynamoStore(
  { folder, database, consumers, emulator }: StoreOptions,
  opened: AsyncDisposableStack,
): Promise<LocalStore> {
  const local = emulator === undefined ? await startDynamoDbLocal({ folder: folder.emulator }) : undefined;
  if (local) opened.defer(local.stop);
  const config = emulatorClient(local?.endpoint ?? emulator ?? '', folder.accessKey);
  const client = opened.adopt(dynamoClient(config), (each) => each.destroy());
  const streams = opened.adopt(new DynamoDBStreamsClient(config), (each) => each.destroy());
  const feed = new StreamFeed({ source: streamSource(streams, await openTable(client)), database, consumers });
  notifyOnWrite(client, () => feed.wrote());
  return { table: new DynamoTable({ client, tableName: TABLE }), feed, due: scannedDue(client) };
}

/** The emulator's whole index in one call. On AWS that would read all that is due some day. */
function scannedDue(client: DynamoDBClient): DueIndex {
  const entries = async () => {
    const pages = paginateScan({ client }, { TableName: TABLE, IndexName: 'due' });
    const found: { readonly shard: string; readonly entry: string }[] = [];
    const [part, sort] = INDEXES.due;
    for await (const { Items = [] } of pages)
      found.push(...Items.map((item) => ({ shard: item[part]?.S ?? '', entry: item[sort]?.S ?? '' })));
    return found.sort((a, b) => (a.entry < b.entry ? -1 : 1));
  };
  const dueBy = async (until: Date) => (await entries()).filter(({ entry }) => entry <= dueEnd(until));
  return {
    shards: async (until) => [...new Set((await dueBy(until)).map(({ shard }) => shard))],
    due: async (until, limit) => {
      const found = await dueBy(until);
      return found.slice(0, limit).map(({ entry }) => ({ id: dueId(entry), at: dueTime(entry) }));
    },
    earliest: async () => {
      const [first] = await entries();
      return first === undefined ? undefined : dueTime(first.entry);
    },
  };
}

/** Returns the stream's ARN. */
async function openTable(client: DynamoDBClient): Promise<string> {
  await createTable(client, TABLE).catch((error: unknown) => {
    if (!(error instanceof ResourceInUseException)) throw error;
  });
  const { Table } = await client.send(new DescribeTableCommand({ TableName: TABLE }));
  if (Table?.LatestStreamArn === undefined) throw new Error(`The table ${TABLE} has no stream.`);
  return Table.LatestStreamArn;
}

/** Also after a write whose response was lost: it may have been done. */
function notifyOnWrite(client: DynamoDBClient, wrote: () => void): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        try {
          return await next(args);
        } finally {
          if (WRITES.test(commandName)) wrote();
        }
      },
    { step: 'initialize', name: 'notifyOnWrite' },
  );
}
