import { afterEach, describe, expect, it } from 'vitest';
import { dynamoClient } from '#shared/store/dynamo/dynamo-client.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';
import { refusal, type Script, type ScriptedDynamo, scriptedDynamo } from '#test/support/scripted-dynamo.ts';

const KEY = { pk: 'a', sk: 'b' };
const OTHER = { pk: 'a', sk: 'c' };
const WIRE_KEY = { pk: { S: 'a' }, sk: { S: 'b' } };
const WIRE_OTHER = { pk: { S: 'a' }, sk: { S: 'c' } };
const DONE: Script = { body: {} };
const THROTTLED = refusal('ProvisionedThroughputExceededException');
const canceledBy = (...codes: readonly string[]): Script =>
  refusal('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });

let dynamo: ScriptedDynamo;

async function tableOf(...script: readonly Script[]): Promise<DynamoTable> {
  dynamo = await scriptedDynamo(...script);
  return new DynamoTable({ client: dynamo.client, tableName: 't' });
}
afterEach(() => dynamo?.stop());

describe('a call that DynamoDB certainly did not execute', () => {
  it.each([
    ['a throttled write', THROTTLED],
    ['a write in conflict with a transaction', refusal('TransactionConflictException')],
  ])('is retried: %s', async (_, refused) => {
    const table = await tableOf(refused, refused, DONE);
    expect((await table.put(KEY)).ok).toBe(true);
    expect(dynamo.calls).toHaveLength(3);
  });

  it.each([
    ['throttled', THROTTLED, 4],
    ['conflict', refusal('TransactionConflictException'), 4],
    ['unavailable', refusal('ResourceNotFoundException'), 4],
    ['invalid', refusal('ValidationException'), 1],
    ['too_large', refusal('ValidationException', { message: 'Item size has exceeded the maximum allowed size' }), 1],
  ])('fails as %s in the end', async (kind, refused, calls) => {
    const table = await tableOf(refused);
    await expect(table.put(KEY)).rejects.toMatchObject({ name: 'TableError', kind, outcome: 'not_done' });
    expect(dynamo.calls).toHaveLength(calls);
  });

  it('includes a call that reached no server', async () => {
    const client = dynamoClient({
      endpoint: 'http://127.0.0.1:1',
      region: 'local',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
    await expect(new DynamoTable({ client, tableName: 't' }).put(KEY)).rejects.toMatchObject({
      kind: 'unavailable',
      outcome: 'not_done',
    });
  });
});

describe('a call that DynamoDB may have executed', () => {
  it.each<readonly [string, Script]>([
    ['the connection broke', 'drop'],
    ['no response came in time', 'hang'],
    ['DynamoDB had an internal error', refusal('InternalServerError', {}, 500)],
    ['another server responded', { status: 502, body: {} }],
  ])('is not repeated, and fails as unknown: %s', async (_, fault) => {
    const table = await tableOf(fault, DONE);
    await expect(table.update(KEY, { add: { n: 1 } })).rejects.toMatchObject({
      name: 'TableError',
      kind: 'unavailable',
      outcome: 'unknown',
    });
    expect(dynamo.calls).toHaveLength(1);
  });

  it('is repeated if it only read', async () => {
    const table = await tableOf('drop', refusal('InternalServerError', {}, 500), {
      body: { Item: { ...WIRE_KEY, n: { N: '1' } } },
    });
    expect(await table.get(KEY)).toEqual({ ...KEY, n: 1 });
  });

  it('is repeated under its token if it was a transaction', async () => {
    const table = await tableOf('drop', refusal('TransactionInProgressException'), DONE);
    expect(await table.transact([{ put: KEY }], 'token')).toEqual({ ok: true });
    expect(dynamo.calls.map(({ body }) => body.ClientRequestToken)).toEqual(['token', 'token', 'token']);
  });
});

describe('a lost response', () => {
  it('makes the outcome unknown even if the repetition is rejected', async () => {
    const table = await tableOf('drop', THROTTLED);
    await expect(table.transact([{ put: KEY }], 'token')).rejects.toMatchObject({
      kind: 'throttled',
      outcome: 'unknown',
    });
  });
});

describe('a canceled transaction', () => {
  it.each([
    ['conflict', 'TransactionConflict'],
    ['throttled', 'ThrottlingError'],
  ])('fails as %s without a failed condition', async (kind, code) => {
    const table = await tableOf(canceledBy('None', code));
    await expect(table.transact([{ put: KEY }, { put: OTHER }], 'token')).rejects.toMatchObject({
      kind,
      outcome: 'not_done',
    });
  });

  it('returns the failed condition even with a conflict', async () => {
    const table = await tableOf(canceledBy('TransactionConflict', 'ConditionalCheckFailed'));
    expect(await table.transact([{ put: KEY }, { put: OTHER, condition: { absent: 'pk' } }], 'token')).toEqual({
      ok: false,
      failed: [{ index: 1 }],
    });
  });
});

describe('a read of many items from DynamoDB', () => {
  const rest = (...found: readonly object[]): Script => ({
    body: { Responses: { t: found }, UnprocessedKeys: { t: { Keys: [WIRE_OTHER] } } },
  });

  it('requests unprocessed keys again', async () => {
    const table = await tableOf(rest(WIRE_KEY), rest(), { body: { Responses: { t: [WIRE_OTHER] } } });
    expect(await table.getMany([KEY, OTHER])).toEqual([KEY, OTHER]);
    expect(dynamo.calls.at(-1)?.body).toMatchObject({ RequestItems: { t: { Keys: [WIRE_OTHER] } } });
  });

  it('gives up in the end rather than report items as missing', async () => {
    const table = await tableOf(rest(WIRE_KEY));
    await expect(table.getMany([KEY, OTHER])).rejects.toMatchObject({ kind: 'throttled' });
    expect(dynamo.calls).toHaveLength(4);
  });
});

it('a page that ended at a megabyte is short and still has a next', async () => {
  const table = await tableOf(
    { body: { Items: [], Count: 0, LastEvaluatedKey: WIRE_KEY } },
    { body: { Items: [WIRE_OTHER], Count: 1 } },
  );
  const { items, next } = await table.query({ pk: 'a', limit: 5 });
  expect([items, (await table.query({ pk: 'a', limit: 5, after: next })).items]).toEqual([[], [OTHER]]);
  expect(dynamo.calls.at(-1)?.body).toMatchObject({ ExclusiveStartKey: WIRE_KEY });
});
