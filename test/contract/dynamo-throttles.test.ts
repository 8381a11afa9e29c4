import { afterEach, describe, expect, it } from 'vitest';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';
import { keyFamily, throttleReporter } from '#shared/store/dynamo/dynamo-throttle.ts';
import { refusal, type Script, type ScriptedDynamo, scriptedDynamo } from '#test/support/scripted-dynamo.ts';
import { START } from '#test/support/stopped-clock.ts';

const PAYMENT = { pk: 'PAY#0a1b2c', sk: 'PAY' };
const ARN = 'arn:aws:dynamodb:eu-central-1:111122223333:table/ServiceLive-Table';
const DONE: Script = { body: {} };

let dynamo: ScriptedDynamo;
afterEach(() => dynamo?.stop());

type Line = readonly [event: string, fields?: Readonly<Record<string, unknown>>];

async function tableWithLog(...script: readonly Script[]) {
  dynamo = await scriptedDynamo(...script);
  const lines: Line[] = [];
  const write = (...line: Line) => void lines.push(line);
  const log = { warn: write, error: write };
  return { table: new DynamoTable({ client: dynamo.client, tableName: 't', log }), lines };
}

const throttled = (reason: string, resource: string, type = 'ProvisionedThroughputExceededException') =>
  refusal(type, {
    [type === 'ThrottlingException' ? 'throttlingReasons' : 'ThrottlingReasons']: [{ reason, resource }],
  });

describe('a throttled call', () => {
  it.each([
    ['a hot key of an index', 'IndexWriteKeyRangeThroughputExceeded', `${ARN}/index/due`, 'due', 'write'],
    ['a hot key of the table', 'TableReadKeyRangeThroughputExceeded', ARN, 'table', 'read'],
  ])('names the place and the kind of item, and nothing else: %s', async (_, reason, arn, resource, operation) => {
    const { table, lines } = await tableWithLog(throttled(reason, arn), DONE);
    expect((await table.put(PAYMENT)).ok).toBe(true);
    const fields = { resource, operation, limit: 'KeyRangeThroughputExceeded', families: 'PAY', throttles: 1 };
    expect(lines).toEqual([['key_range_throttled', fields]]);
  });

  it.each([
    ['the quota of the account', throttled('TableWriteAccountLimitExceeded', ARN, 'RequestLimitExceeded')],
    ['AWS’s general exception', throttled('TableWriteAccountLimitExceeded', ARN, 'ThrottlingException')],
  ])('is told apart from a hot key: %s', async (_, refused) => {
    const { table, lines } = await tableWithLog(refused, DONE);
    await table.update(PAYMENT, { add: { n: 1 } });
    expect(lines).toMatchObject([['table_throttled', { limit: 'AccountLimitExceeded', operation: 'write' }]]);
  });

  it.each([
    ['an exception without reasons', refusal('ProvisionedThroughputExceededException')],
    [
      'a canceled transaction',
      refusal('TransactionCanceledException', { CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }] }),
    ],
  ])('is reported even if DynamoDB does not say why: %s', async (_, refused) => {
    const { table, lines } = await tableWithLog(refused, DONE);
    await table.transact([{ put: PAYMENT }, { put: { pk: 'ORG#org_1', sk: 'org' } }], 'token');
    expect(lines).toMatchObject([['table_throttled', { limit: 'unknown', families: 'ORG PAY' }]]);
  });

  it('is silent about other errors', async () => {
    const { table, lines } = await tableWithLog(refusal('ConditionalCheckFailedException'));
    expect((await table.put(PAYMENT, { absent: 'pk' })).ok).toBe(false);
    expect(lines).toEqual([]);
  });

  it('writes a line a second for each kind, which counts the throttles since the last one', () => {
    const lines: Line[] = [];
    let at = START.getTime();
    const clock = { now: () => new Date(at) };
    const report = throttleReporter({ warn: (...line: Line) => void lines.push(line), error: () => {} }, clock);
    const error = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    for (let n = 0; n < 50; n++) report(error, [PAYMENT]);
    report(error, [{ pk: 'EVT#org_1#3' }]);
    at += 1_000;
    report(error, [PAYMENT]);
    expect(lines.map(([, fields]) => [fields?.families, fields?.throttles])).toEqual([
      ['PAY', 1],
      ['EVT', 1],
      ['PAY', 50],
    ]);
  });

  it.each([
    ['PAY#0a1b2c', 'PAY'],
    ['PLATFORM', 'PLATFORM'],
    ['DUE#63', 'DUE'],
    ['org_2b#conn_1#0', 'other'],
    ['@sub#org_2b#3', 'other'],
    ['stripe#pi_1', 'other'],
  ])('says of the key %s no more than %s', (pk, family) => expect(keyFamily({ pk })).toBe(family));
});

describe('a call that the role of the function may not make', () => {
  it('is an error in the log, with the kinds of items alone', async () => {
    const message = `User: ${ARN} is not authorized to perform dynamodb:PutItem`;
    const { table, lines } = await tableWithLog(refusal('AccessDeniedException', { message }));
    await expect(table.put(PAYMENT)).rejects.toMatchObject({ name: 'TableError', outcome: 'not_done' });
    expect(lines[0]).toEqual(['table_access_denied', { families: 'PAY' }]);
  });
});
