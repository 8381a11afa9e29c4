/** A replaced secret, which still signs beside its successor for a while. */
type FormerSecret = { readonly sealed_secret: string; readonly until: string };

/** Why the service turned a receiver off: it answered 410, or only failed for days. */
export type DisabledReason = 'gone' | 'failing';

/**
 * An organization's webhook receiver. `sealed_secret` holds the `whsec_…` string, made once and kept until it is
 * rotated.
 */
export type ReceiverConfig = {
  readonly org_id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly sealed_secret: string;
  /** Newest first; expired ones are dropped with the next save. */
  readonly former?: readonly FormerSecret[];
  /**
   * Since when planned tries only fail. Deliveries write it without a new version, so as not to race with people's
   * changes.
   */
  readonly failing_since?: string;
  /**
   * The same for replays: it picks the lane (ADR 24), but never turns the receiver off, as whoever replays is about to
   * fix it.
   */
  readonly replays_failing_since?: string;
  /** When it was turned off. */
  readonly disabled_at?: string;
  /** Set only where the service turned it off. */
  readonly disabled_reason?: DisabledReason;
  readonly version: number;
  /** Number of audit entries, which is the last one's id. */
  readonly audits: number;
  readonly created_at: string;
  readonly updated_at: string;
};
