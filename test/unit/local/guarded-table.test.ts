import { describe, expect, it } from 'vitest';
import { guardedTable } from '#lib/local/guarded-table.ts';
import { STREAM_CONSUMERS } from '#lib/local/relay-loop.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import { memoryStore } from '#test/support/memory-store.ts';

const KEY = { pk: 'RECV#org_1', sk: 'config' };

/** The table as the function of this invocation sees it. */
function tableOf(group: string | undefined) {
  const denied: unknown[] = [];
  const log = { error: (_: string, fields: object = {}) => void denied.push(fields) };
  return { table: guardedTable(memoryStore().table, { group: () => group, log }), denied };
}

describe('the table of a local host', () => {
  it('denies a function what its role on AWS does not allow, and logs it', () => {
    const { table, denied } = tableOf('openapi');
    expect(() => table.get(KEY)).toThrow('openapi may not get RECV#');
    expect(denied).toEqual([{ denied: 'openapi may not get RECV#', rights: 'lib/aws/table-rights.ts' }]);
  });

  it('denies everything to an invocation that belongs to no function', () => {
    expect(() => tableOf('a-new-loop').table.get(KEY)).toThrow('No function of lib/aws/function-table.ts runs');
  });

  it('denies the host nothing for what it does itself', async () => {
    expect(await tableOf(undefined).table.get(KEY)).toBeUndefined();
  });

  it.each([...QUEUES, ...STREAM_CONSUMERS])('knows the function behind %s', (name) => {
    expect(() => tableOf(name).table.get({ pk: 'NOTHING#1', sk: '-' })).toThrow(`${name} may not get NOTHING#`);
  });
});
