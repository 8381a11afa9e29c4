import type { DescribeStreamCommand } from '@aws-sdk/client-dynamodb-streams';
import { describe, expect, it } from 'vitest';
import { shardParents } from '#shared/adapters/aws/shard-parents.adapter.ts';

const PAGES = [
  { Shards: [{ ShardId: 'a' }, { ShardId: 'b', ParentShardId: 'a' }], LastEvaluatedShardId: 'b' },
  { Shards: [{ ShardId: 'c', ParentShardId: 'b' }] },
];

/** A stream of two pages of shards, or one that cannot be read. */
function aStream({ isDown = false } = {}) {
  const asked: (string | undefined)[] = [];
  const warned: string[] = [];
  const send = async ({ input }: DescribeStreamCommand) => {
    asked.push(input.ExclusiveStartShardId);
    if (isDown) throw new Error('Access denied.');
    return { StreamDescription: PAGES[input.ExclusiveStartShardId === undefined ? 0 : 1] };
  };
  const log = { info: () => {}, error: () => {}, warn: (event: string) => void warned.push(event) };
  return { asked, warned, parents: shardParents(() => ({ send }) as never, log) };
}

describe('the parents of a stream’s shards', () => {
  it('are read from all pages, and again only for a shard that is new', async () => {
    const { asked, parents } = aStream();
    const known = await parents('arn', 'c');
    expect([...known]).toEqual([
      ['b', 'a'],
      ['c', 'b'],
    ]);
    await parents('arn', 'a');
    expect(asked).toEqual([undefined, 'b']);
    await parents('arn', 'd');
    expect(asked).toEqual([undefined, 'b', undefined, 'b']);
  });

  it('are unknown while the stream cannot be read, which stops nothing', async () => {
    const { warned, parents } = aStream({ isDown: true });
    expect([...(await parents('arn', 'c'))]).toEqual([]);
    expect(warned).toEqual(['shards_not_listed']);
  });
});
