/** A secret that was replaced, and signs beside its successor until the receiver has had time to learn that one. */
export type FormerSecret = { readonly sealed_secret: string; readonly until: string };

/** Why a receiver was turned off by itself: it answered 410, or nothing but failure for days. */
export type DisabledReason = 'gone' | 'failing';

/** Where an organization wants its events. `sealed_secret` holds the `whsec_…` string, made once and kept until it is rotated. */
export type ReceiverConfig = {
  readonly org_id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly sealed_secret: string;
  /** Newest first; what has run out goes with the next save. */
  readonly former?: readonly FormerSecret[];
  /** Since when there has been nothing but failure. Written by deliveries, and no new version: people's changes don't race with them. */
  readonly failing_since?: string;
  /** Since when it is off, where it is. */
  readonly disabled_at?: string;
  /** Only where it was not people who turned it off. */
  readonly disabled_reason?: DisabledReason;
  readonly version: number;
  /** How many entries its audit has: the number of the last one. */
  readonly audits: number;
  readonly created_at: string;
  readonly updated_at: string;
};
