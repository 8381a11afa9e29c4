import {
  type _Record,
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { feedRecordFrom } from '#shared/store/dynamo/dynamo-items.ts';
import type { FeedRecord } from '#shared/store/table/table.port.ts';

/** A shard is read after its parent, so that an item's changes stay in order. */
export type Shard = { readonly id: string; readonly parent?: string };

/** No iterator means the shard's end. */
export type StreamPage = { readonly records: readonly FeedRecord[]; readonly iterator: string | undefined };

export type StreamSource = {
  readonly shards: () => Promise<readonly Shard[]>;
  /** After this record, or from the oldest one kept. */
  readonly iterator: (shard: string, after: string | undefined) => Promise<string>;
  readonly page: (iterator: string) => Promise<StreamPage>;
};

const PAGE_SIZE = 100;

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
      const from = after === undefined ? ({ ShardIteratorType: 'TRIM_HORIZON' } as const) : afterSequence(after);
      const { ShardIterator } = await client.send(new GetShardIteratorCommand({ StreamArn, ShardId, ...from }));
      if (ShardIterator === undefined) throw new Error(`The stream gave no iterator for ${ShardId}.`);
      return ShardIterator;
    },
    async page(iterator) {
      const { Records = [], NextShardIterator } = await client.send(
        new GetRecordsCommand({ ShardIterator: iterator, Limit: PAGE_SIZE }),
      );
      return { records: Records.map(feedRecord), iterator: NextShardIterator };
    },
  };
}

const afterSequence = (SequenceNumber: string) =>
  ({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber }) as const;

/** The emulator's sequence numbers have equal length, so they sort as text. */
const feedRecord = ({ dynamodb = {} }: _Record): FeedRecord => feedRecordFrom(dynamodb.SequenceNumber ?? '', dynamodb);
