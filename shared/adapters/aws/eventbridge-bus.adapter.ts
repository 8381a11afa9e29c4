import { type EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { BatchError, type RejectedEntry, sendBatch, splitIntoBatches } from '#shared/adapters/aws/send-batch.ts';
import { type BusEvent, type BusPort, BusRejected } from '#shared/ports/bus.port.ts';

/** What the rules of the bus match, and which part of an event is the message: consumers get the detail alone. */
export const BUS_EVENT = { source: 'payfork', messagePath: '$.detail', groupPath: '$.detail.org_id' } as const;

const MAX_BYTES = 256 * 1024;
/** The event is invalid or not permitted, so a retry would fail too. */
const PERMANENT_ERRORS = new Set([
  'MalformedDetail',
  'InvalidArgument',
  'NotAuthorizedForSourceException',
  'NotAuthorizedForDetailTypeException',
]);

export function eventBridgeBus({
  client,
  busName,
}: {
  readonly client: EventBridgeClient;
  readonly busName: string;
}): BusPort {
  /** Results are in the order of the entries; one without an id was rejected. */
  async function putBatch(
    batch: readonly PutEventsRequestEntry[],
  ): Promise<readonly RejectedEntry<PutEventsRequestEntry>[]> {
    const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: [...batch] }));
    return batch.flatMap((entry, n) => {
      const { EventId, ErrorCode = 'no result' } = Entries[n] ?? {};
      return EventId === undefined ? [{ entry, code: ErrorCode, final: PERMANENT_ERRORS.has(ErrorCode) }] : [];
    });
  }

  return {
    async publish(events) {
      const entries = new Map(events.map((event) => [entryOf(event, busName), event]));
      const batches = splitIntoBatches(
        [...entries.keys()],
        MAX_BYTES,
        ({ Detail = '' }) => Buffer.byteLength(Detail) + 200,
      );
      const results = await Promise.allSettled(batches.map((batch) => sendBatch('The bus', batch, putBatch)));
      const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      const [first] = failures;
      if (first === undefined) return;
      const rejected = failures.filter((error) => error instanceof BatchError);
      // What became of a batch without an answer is not known.
      if (rejected.length < failures.length) throw failures.find((error) => !(error instanceof BatchError));
      const ids = rejected.flatMap((error) => error.rejected).map((entry) => entries.get(entry as never)?.id ?? '');
      throw new BusRejected(first.message, new Set(ids));
    },
  };
}

const entryOf = (
  { id, type, org_id, through, event, workflows, trace }: BusEvent,
  EventBusName: string,
): PutEventsRequestEntry => ({
  EventBusName,
  Source: BUS_EVENT.source,
  DetailType: type,
  Detail: JSON.stringify({ id, type, org_id, through, event, workflows, trace }),
});
