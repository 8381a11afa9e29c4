import { DescribeStreamCommand, DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { RETRYING } from '#shared/adapters/aws/client-settings.ts';
import type { LogPort } from '#shared/ports/log.port.ts';

type Shards = { readonly ids: ReadonlySet<string>; readonly parents: ReadonlyMap<string, string> };
type StreamsClient = Pick<DynamoDBStreamsClient, 'send'>;

export const streamsClient = (): StreamsClient => new DynamoDBStreamsClient(RETRYING);

/**
 * Each shard's parent, as the stream lists them. It is asked once about each new shard, and the client made when it is
 * first needed. Without an answer nothing is known, and what is kept for a shard is kept for longer.
 */
export function shardParents(makeClient: () => StreamsClient, log: LogPort) {
  let client: StreamsClient | undefined;
  let known: Shards = { ids: new Set(), parents: new Map() };
  return async (streamArn: string, shard: string): Promise<ReadonlyMap<string, string>> => {
    if (known.ids.has(shard)) return known.parents;
    client ??= makeClient();
    try {
      known = await listShards(client, streamArn);
    } catch (error) {
      log.warn('shards_not_listed', { error });
    }
    return known.parents;
  };
}

async function listShards(client: StreamsClient, StreamArn: string): Promise<Shards> {
  const found: { readonly ShardId?: string; readonly ParentShardId?: string }[] = [];
  let ExclusiveStartShardId: string | undefined;
  do {
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn, ExclusiveStartShardId }));
    found.push(...(StreamDescription?.Shards ?? []));
    ExclusiveStartShardId = StreamDescription?.LastEvaluatedShardId;
  } while (ExclusiveStartShardId !== undefined);
  return {
    ids: new Set(found.flatMap(({ ShardId }) => ShardId ?? [])),
    parents: new Map(
      found.flatMap(({ ShardId, ParentShardId }) => (ShardId && ParentShardId ? [[ShardId, ParentShardId]] : [])),
    ),
  };
}
