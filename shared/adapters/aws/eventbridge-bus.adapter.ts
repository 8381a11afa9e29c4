import { type EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { batchesOf } from '#shared/adapters/aws/batches.rules.ts';
import { allThrough, type NotTaken, untilTaken } from '#shared/adapters/aws/until-taken.ts';
import type { BusEvent, BusPort } from '#shared/ports/bus.port.ts';

/** What the rules of the bus look for, and where in an event its message lies: consumers get the detail alone. */
export const BUS_EVENT = { source: 'payfork', messagePath: '$.detail', groupPath: '$.detail.org_id' } as const;

const MOST_BYTES = 256 * 1024;
/** The event itself is wrong, or we may not send it: another try changes nothing. */
const FINAL = new Set([
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
  /** Answers come in the order of the entries; one without an id was not taken. */
  async function putBatch(
    batch: readonly PutEventsRequestEntry[],
  ): Promise<readonly NotTaken<PutEventsRequestEntry>[]> {
    const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: [...batch] }));
    return batch.flatMap((entry, n) => {
      const { EventId, ErrorCode = 'no answer' } = Entries[n] ?? {};
      return EventId === undefined ? [{ entry, code: ErrorCode, final: FINAL.has(ErrorCode) }] : [];
    });
  }

  return {
    async publish(events) {
      const batches = batchesOf(
        events.map((event) => entryOf(event, busName)),
        MOST_BYTES,
        ({ Detail = '' }) => Buffer.byteLength(Detail) + 200,
      );
      await allThrough(batches.map((batch) => untilTaken('The bus', batch, putBatch)));
    },
  };
}

const entryOf = ({ id, type, org_id, through }: BusEvent, EventBusName: string): PutEventsRequestEntry => ({
  EventBusName,
  Source: BUS_EVENT.source,
  DetailType: type,
  Detail: JSON.stringify({ id, type, org_id, through }),
});
