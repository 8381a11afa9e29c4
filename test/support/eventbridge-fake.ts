import { randomUUID } from 'node:crypto';
import { type AwsWire, awsWire, type WireCall, type WireReply, wireError } from '#test/support/aws-wire.ts';

type TakenEvent = {
  readonly bus: string;
  readonly source: string;
  readonly type: string;
  readonly detail: Record<string, unknown>;
};

export type EventBridgeFake = AwsWire & {
  /** The events that the bus accepted, oldest first. */
  readonly taken: readonly TakenEvent[];
  /** The reason why an entry is rejected, each time it is sent. */
  readonly refuse: (why: (detail: Record<string, unknown>) => string | undefined) => void;
  /** The responses to the next calls, whose events are not accepted. */
  readonly fail: (...replies: readonly WireReply[]) => void;
};

/**
 * EventBridge's API: at most ten entries per call, each accepted or rejected on its own, with the call as a whole a
 * success.
 */
export async function startEventBridgeFake(): Promise<EventBridgeFake> {
  const taken: TakenEvent[] = [];
  const failures: WireReply[] = [];
  let why: (detail: Record<string, unknown>) => string | undefined = () => undefined;

  function put(entry: { EventBusName: string; Source: string; DetailType: string; Detail: string }): object {
    const detail = JSON.parse(entry.Detail) as Record<string, unknown>;
    const code = why(detail);
    if (code) return { ErrorCode: code, ErrorMessage: code };
    taken.push({ bus: entry.EventBusName, source: entry.Source, type: entry.DetailType, detail });
    return { EventId: randomUUID() };
  }

  function respond({ operation, body }: WireCall): WireReply {
    const failure = failures.shift();
    if (failure) return failure;
    if (operation !== 'PutEvents') return wireError('UnknownOperationException');
    if (body.Entries.length < 1 || body.Entries.length > 10)
      return wireError('ValidationException', "Value at 'entries' failed to satisfy constraint");
    const Entries: object[] = body.Entries.map(put);
    return { body: { FailedEntryCount: Entries.filter((entry) => 'ErrorCode' in entry).length, Entries } };
  }

  const wire = await awsWire(respond);
  return {
    ...wire,
    taken,
    refuse: (reason) => {
      why = reason;
    },
    fail: (...replies) => void failures.push(...replies),
  };
}
