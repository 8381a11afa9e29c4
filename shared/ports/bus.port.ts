import type { OwnWorkflow } from '#shared/domain/payment.events.ts';

/** What the relay announces; the subscription table says who hears of it. */
export type BusEvent = {
  readonly id: string;
  readonly type: string;
  readonly org_id: string;
  /** Of a payment's: the connection that it went through at that moment and its workflow, where it has one. */
  readonly through?: OwnWorkflow;
};

/** At least once; throws if any of the events was not taken. */
export interface BusPort {
  publish(events: readonly BusEvent[]): Promise<void>;
}
