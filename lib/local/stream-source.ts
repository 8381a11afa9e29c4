import {
  type _Record,
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import type { FeedRecord } from '#shared/ports/table.port.ts';
import { fromItem } from '#shared/store/dynamo/dynamo-attribute.rules.ts';

/** A shard is read after its parent, so that an item's changes stay in order. */
export type Shard = { readonly id: string; readonly parent?: string };

/** No iterator means the shard's end. */
type StreamPage = { readonly records: readonly FeedRecord[]; readonly iterator: string | undefined };

export type StreamSource = {
  readonly shards: () => Promise<readonly Shard[]>;
  /** After this record, or from the oldest one kept. */
  readonly iterator: (shard: string, after: string | undefined) => Promise<string>;
  readonly page: (iterator: string) => Promise<StreamPage>;
};

const AT_ONCE = 100;

/** The calls of DynamoDB Streams. */
export function streamSource(client: DynamoDBStreamsClient, StreamArn: string): StreamSource {
  return {
    async shards() {
      const found: Shard[] = [];
      let last: string | undefined;
      do {
        const { StreamDescription } = await client.send(
          new DescribeStreamCommand({ StreamArn, ExclusiveStartShardId: last }),
        );
        for (const { ShardId: id, ParentShardId: parent } of StreamDescription?.Shards ?? [])
          if (id !== undefined) found.push({ id, parent });
        last = StreamDescription?.LastEvaluatedShardId;
      } while (last !== undefined);
      return found;
    },
    async iterator(ShardId, after) {
      const from = after === undefined ? ({ ShardIteratorType: 'TRIM_HORIZON' } as const) : behind(after);
      const { ShardIterator } = await client.send(new GetShardIteratorCommand({ StreamArn, ShardId, ...from }));
      if (ShardIterator === undefined) throw new Error(`The stream gave no iterator for ${ShardId}.`);
      return ShardIterator;
    },
    async page(iterator) {
      const { Records = [], NextShardIterator } = await client.send(
        new GetRecordsCommand({ ShardIterator: iterator, Limit: AT_ONCE }),
      );
      return { records: Records.map(feedRecord), iterator: NextShardIterator };
    },
  };
}

const behind = (SequenceNumber: string) => ({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber }) as const;

/** The emulator's sequence numbers have equal length, so they sort as text. */
function feedRecord({ dynamodb = {} }: _Record): FeedRecord {
  const { SequenceNumber: seq = '', Keys = {}, OldImage, NewImage } = dynamodb;
  const { pk, sk } = fromItem(Keys);
  return {
    seq,
    key: { pk, sk },
    ...(OldImage && { old: fromItem(OldImage) }),
    ...(NewImage && { new: fromItem(NewImage) }),
  };
}
