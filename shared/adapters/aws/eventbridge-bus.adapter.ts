import { type EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { type RejectedEntry, sendBatch, settleAll, splitIntoBatches } from '#shared/adapters/aws/send-batch.ts';
import type { BusEvent, BusPort } from '#shared/ports/bus.port.ts';

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
      const batches = splitIntoBatches(
        events.map((event) => entryOf(event, busName)),
        MAX_BYTES,
        ({ Detail = '' }) => Buffer.byteLength(Detail) + 200,
      );
      await settleAll(batches.map((batch) => sendBatch('The bus', batch, putBatch)));
    },
  };
}

const entryOf = ({ id, type, org_id, through }: BusEvent, EventBusName: string): PutEventsRequestEntry => ({
  EventBusName,
  Source: BUS_EVENT.source,
  DetailType: type,
  Detail: JSON.stringify({ id, type, org_id, through }),
});
