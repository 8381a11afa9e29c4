import { DeleteItemCommand, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, expect, it } from 'vitest';
import { createTable } from '#shared/store/dynamo/dynamo-schema.ts';
import { itemSize } from '#shared/store/table/item.rules.ts';
import type { Item } from '#shared/store/table/table.port.ts';
import { dynamoDbSuite } from '#test/support/dynamodb-suite.ts';
import { readUnits, writeUnits } from '#test/support/table-units.ts';

const TableName = 'payfork';
const KEY = { pk: 'a', sk: 'b' };
const DUE = { due_pk: 'D', due_sk: '1' };
const LIST = { list_pk: 'L', list_sk: '1' };

const WRITES: readonly (readonly [string, Item | undefined, Item | undefined])[] = [
  ['a small item', undefined, KEY],
  ['an item of exactly 1 KB', undefined, { ...KEY, t: 'y'.repeat(1_024 - 7) }],
  ['an item of 1 KB and a byte', undefined, { ...KEY, t: 'y'.repeat(1_024 - 6) }],
  ['a large item that becomes small', { ...KEY, t: 'y'.repeat(5_000) }, KEY],
  ['an item with two entries', undefined, { ...KEY, ...DUE, ...LIST }],
  ['an entry that moves', { ...KEY, ...DUE }, { ...KEY, ...DUE, due_sk: '2' }],
  ['an entry that stays', { ...KEY, ...DUE, n: 1 }, { ...KEY, ...DUE, n: 2 }],
  ['an entry that goes and one that comes', { ...KEY, ...DUE }, { ...KEY, ...LIST }],
  ['half of an entry', undefined, { ...KEY, due_pk: 'D' }],
  ['a deletion with its entry', { ...KEY, ...DUE, t: 'y'.repeat(2_000) }, undefined],
  ['a deletion of nothing', undefined, undefined],
];

dynamoDbSuite('units, as DynamoDB Local counts them', (local) => {
  beforeAll(() => createTable(local().client, TableName));

  const put = (item: Item) => new PutItemCommand({ TableName, Item: marshall(item), ReturnConsumedCapacity: 'TOTAL' });
  const remove = new DeleteItemCommand({ TableName, Key: marshall(KEY), ReturnConsumedCapacity: 'TOTAL' });

  it.each(WRITES)('the write units computed for %s match DynamoDB', async (_, old, next) => {
    const { client } = local();
    await (old ? client.send(put(old)) : client.send(remove));
    const { ConsumedCapacity } = next ? await client.send(put(next)) : await client.send(remove);
    expect(writeUnits(old, next)).toBe(ConsumedCapacity?.CapacityUnits);
  });

  it.each([100, 4_096, 4_097, 9_000])('the read units computed for %i bytes match DynamoDB', async (bytes) => {
    const item = { ...KEY, t: 'y'.repeat(bytes - 7) };
    expect(itemSize(item)).toBe(bytes);
    await local().client.send(put(item));
    for (const consistent of [true, false]) {
      const how = { TableName, ConsistentRead: consistent, ReturnConsumedCapacity: 'TOTAL' } as const;
      const got = await local().client.send(new GetItemCommand({ ...how, Key: marshall(KEY) }));
      const query = new QueryCommand({
        ...how,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'a' } },
      });
      const queried = await local().client.send(query);
      expect([got.ConsumedCapacity?.CapacityUnits, queried.ConsumedCapacity?.CapacityUnits]).toEqual([
        readUnits(bytes, { consistent }),
        readUnits(bytes, { consistent }),
      ]);
    }
  });

  it('the units of an item in a transaction are doubled, which DynamoDB Local does not count', () => {
    const next = { ...KEY, ...DUE, t: 'y'.repeat(1_500) };
    expect([writeUnits(undefined, next), writeUnits(undefined, next, { transaction: true })]).toEqual([3, 5]);
  });
});
