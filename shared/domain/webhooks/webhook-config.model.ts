/** A replaced secret. It still signs deliveries beside the new one until `until`. */
type FormerSecret = { readonly sealed_secret: string; readonly until: string };

/** Why the service disabled webhooks: the endpoint responded with 410, or failed every delivery for days. */
export type DisabledReason = 'gone' | 'failing';

/**
 * Where an organization's events are sent. `sealed_secret` holds the `whsec_…` text, which stays until it is rotated.
 */
export type WebhookConfig = {
  readonly org_id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly sealed_secret: string;
  /** Replaced secrets, newest first. The next save drops those that have expired. */
  readonly former?: readonly FormerSecret[];
  /**
   * Since when every scheduled attempt has failed. Deliveries write it without a new version, so that they never
   * conflict with a person's changes.
   */
  readonly failing_since?: string;
  /**
   * As above, for replays. It chooses the lane (ADR 24) but never disables webhooks: whoever replays is about to repair
   * the endpoint.
   */
  readonly replays_failing_since?: string;
  /** When webhooks were disabled. */
  readonly disabled_at?: string;
  /** Set only if the service disabled them. */
  readonly disabled_reason?: DisabledReason;
  readonly version: number;
  /** Number of audit entries, which is the last one's id. */
  readonly audits: number;
  readonly created_at: string;
  readonly updated_at: string;
};
