/** What the relay announces; the subscription table says who hears of it. */
export type BusEvent = { readonly id: string; readonly type: string; readonly org_id: string };

/** At least once; throws if any of the events was not taken. */
export interface BusPort {
  publish(events: readonly BusEvent[]): Promise<void>;
}
