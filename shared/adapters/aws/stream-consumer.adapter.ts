import type { AttributeValue as Attribute } from '@aws-sdk/client-dynamodb';
import type {
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  AttributeValue as EventAttribute,
} from 'aws-lambda';
import type { FeedConsumer, FeedRecord } from '#shared/ports/table.port.ts';
import { fromItem } from '#shared/store/dynamo/dynamo-attribute.rules.ts';

export type RecordsConsumer = (records: readonly FeedRecord[]) => Promise<{ readonly retryFrom?: string }>;

type Image = Record<string, EventAttribute>;

/** Numbers of a shard have different lengths; of one length they sort as text. */
const DIGITS = 40;

/**
 * A batch of the table's stream, as Lambda hands it over. Where the consumer stops, Lambda goes on: it repeats from the
 * record that is named, by its own number for it.
 */
export function streamHandler(
  consume: RecordsConsumer,
): (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse> {
  return async ({ Records }) => {
    const records = Records.map(feedRecord);
    const { retryFrom } = await consume(records);
    const at = records.findIndex(({ seq }) => seq === retryFrom);
    if (retryFrom !== undefined && at < 0)
      throw new Error('The consumer wants to go on from a record that is not in its batch.');
    return {
      batchItemFailures:
        retryFrom === undefined ? [] : [{ itemIdentifier: Records[at]?.dynamodb?.SequenceNumber ?? '' }],
    };
  };
}

type WindowedEvent = DynamoDBStreamEvent & { readonly shardId?: string };

/**
 * The same for who must know the shard. Lambda names it only where a reader has time windows, and then wants the
 * window's state back, of which there is none here. A window's end comes without records.
 */
export function shardHandler(
  consume: FeedConsumer,
): (event: WindowedEvent) => Promise<DynamoDBBatchResponse & { readonly state: object }> {
  return async (event) => {
    const { shardId, Records } = event;
    if (Records.length === 0) return { batchItemFailures: [], state: {} };
    if (!shardId) throw new Error('The batch names no shard: its reader needs a tumbling window.');
    const { batchItemFailures } = await streamHandler((records) => consume(shardId, records))(event);
    return { batchItemFailures, state: {} };
  };
}

function feedRecord({ dynamodb = {} }: DynamoDBRecord): FeedRecord {
  const { SequenceNumber = '', Keys = {}, OldImage, NewImage } = dynamodb;
  const { pk, sk } = itemOf(Keys);
  return {
    seq: SequenceNumber.padStart(DIGITS, '0'),
    key: { pk, sk },
    ...(OldImage && { old: itemOf(OldImage) }),
    ...(NewImage && { new: itemOf(NewImage) }),
  };
}

/** The event's attributes are the table's, except for binaries, which are never written. */
const itemOf = (image: Image) => fromItem(image as Record<string, Attribute>);
