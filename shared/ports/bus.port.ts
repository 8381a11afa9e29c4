import type { ConnectionWorkflow } from '#shared/domain/reference/events.catalog.ts';

/** An event from the relay; the event table names its consumers. */
export type BusEvent = {
  readonly id: string;
  readonly type: string;
  readonly org_id: string;
  /** For a payment: its connection at that moment with its workflow, if any. */
  readonly through?: ConnectionWorkflow;
};

/** At least once; throws if any event was not accepted. */
export interface BusPort {
  publish(events: readonly BusEvent[]): Promise<void>;
}
