import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { SECOND } from '#shared/kernel/clock.ts';
import type { ChangesResult, RecordChange } from '#shared/ports/changes.port.ts';
import type { FeedShard } from '#shared/ports/totals.port.ts';
import { changesIn } from '#shared/store/changes.ts';
import { feedRecordFrom, type StreamImages } from '#shared/store/dynamo/dynamo-items.ts';
import type { FeedRecord } from '#shared/store/table/table.port.ts';

/** Sequence numbers of a shard differ in length. Padded to the same length, they sort as text. */
const DIGITS = 40;

/**
 * The stream of a replica also has what the other region wrote. Until this region took over, the other one relayed and
 * counted it. DynamoDB gives the time of a change in whole seconds: one change too many is relayed once more, and a total
 * may count it twice until the day is counted again.
 */
const madeSince = (records: readonly DynamoDBRecord[], since: Date | undefined): readonly DynamoDBRecord[] =>
  since === undefined
    ? records
    : records.filter(({ dynamodb }) => (dynamodb?.ApproximateCreationDateTime ?? 0) >= Math.floor(+since / SECOND));

/**
 * Handles a batch of the table's stream. If the consumer names a record to retry from, Lambda delivers the batch again
 * from there. It knows the record by its unpadded sequence number. Changes before `since` are left out.
 */
export function streamHandler(
  consume: (changes: readonly RecordChange[]) => Promise<ChangesResult>,
  since?: Date,
): (event: Pick<DynamoDBStreamEvent, 'Records'>) => Promise<DynamoDBBatchResponse> {
  return async (event) => {
    const Records = madeSince(event.Records, since);
    const records = Records.map(feedRecord);
    const { retryFrom } = await consume(changesIn(records));
    const at = records.findIndex(({ seq }) => seq === retryFrom);
    if (retryFrom !== undefined && at < 0)
      throw new Error('The consumer asks to retry from a record that is not in its batch.');
    return {
      batchItemFailures:
        retryFrom === undefined ? [] : [{ itemIdentifier: Records[at]?.dynamodb?.SequenceNumber ?? '' }],
    };
  };
}

type WindowState = { readonly nothingHeld?: boolean };
type WindowedEvent = DynamoDBStreamEvent & { readonly shardId?: string; readonly state?: WindowState };

/**
 * The same for a consumer that must know the shard. Lambda names the shard only to a function with a tumbling window,
 * and passes the state that one batch of a window returns to the next. The end of a window is an event without records.
 * `parentsOf`: the parent of each shard of a stream.
 */
export function shardHandler(
  consume: (shard: FeedShard, changes: readonly RecordChange[]) => Promise<ChangesResult & WindowState>,
  parentsOf: (streamArn: string, shard: string) => Promise<ReadonlyMap<string, string>>,
  since?: Date,
): (event: WindowedEvent) => Promise<DynamoDBBatchResponse & { readonly state: WindowState }> {
  return async (event) => {
    const { shardId: id, state = {} } = event;
    if (event.Records.length === 0) return { batchItemFailures: [], state: {} };
    const Records = [...madeSince(event.Records, since)];
    if (Records.length === 0) return { batchItemFailures: [], state };
    if (!id) throw new Error('The batch names no shard. Configure a tumbling window on the event source.');
    const arn = Records[0]?.eventSourceARN;
    const parents = arn !== undefined && (() => parentsOf(arn, id));
    const shard = { id, ...(state.nothingHeld && { nothingHeld: true }), ...(parents && { parents }) };
    let nothingHeld: boolean | undefined;
    const { batchItemFailures } = await streamHandler(async (changes) => {
      const result = await consume(shard, changes);
      nothingHeld = result.nothingHeld;
      return result;
    })({ Records });
    return { batchItemFailures, state: nothingHeld ? { nothingHeld } : {} };
  };
}

/** The event's attributes are the table's, except for binaries, which are never written. */
export const feedRecord = ({ dynamodb = {} }: DynamoDBRecord): FeedRecord =>
  feedRecordFrom((dynamodb.SequenceNumber ?? '').padStart(DIGITS, '0'), dynamodb as StreamImages);
