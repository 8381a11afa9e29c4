import type { CarriedEvent, ConnectionWorkflow } from '#shared/domain/reference/events.catalog.ts';

/** An event from the relay; the event table names its consumers. */
export type BusEvent = {
  readonly id: string;
  readonly type: string;
  readonly org_id: string;
  /** For a payment: its connection at that moment with its workflow, if any. */
  readonly through?: ConnectionWorkflow;
  /** The rest of an event that was just stored, unless it is large: its first delivery need not read the record. */
  readonly event?: CarriedEvent;
  /** The work that made it: its consumers go on under the same request. */
  readonly trace?: string;
  /** False: it starts no workflow and mails no receipt, so the queue `workflow-runs` does not get it. */
  readonly workflows?: false;
};

/** Some events were not accepted; the others were. */
export class BusRejected extends Error {
  override readonly name = 'BusRejected';
  readonly ids: ReadonlySet<string>;
  constructor(message: string, ids: ReadonlySet<string>) {
    super(message);
    this.ids = ids;
  }
}

/** At least once. Throws if any event was not accepted: `BusRejected`, or another error if that is not known for each. */
export interface BusPort {
  publish(events: readonly BusEvent[]): Promise<void>;
}
