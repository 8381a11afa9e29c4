import type { BulkReplay } from '#shared/domain/webhooks/bulk-replay.rules.ts';
import type { WebhookAudit } from '#shared/domain/webhooks/webhook-audit.rules.ts';
import type { WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';
import type { FailingSince } from '#shared/domain/webhooks/webhook-health.rules.ts';

export interface WebhookConfigsPort {
  get(orgId: string): Promise<WebhookConfig | undefined>;
  /**
   * The configuration as it was at most two seconds before `at`, and later than `since`: an event is never sent to an
   * endpoint that was replaced before the event happened.
   */
  recent(orgId: string, at: Date, since?: Date): Promise<WebhookConfig | undefined>;
  /**
   * Writes the config with its audit entry. False if the stored version is not `config.version - 1` (0: not stored).
   * It never sets the failing times. `resetsFailing` clears them.
   */
  save(config: WebhookConfig, audit?: WebhookAudit, resetsFailing?: boolean): Promise<boolean>;
  /** Like `save`, for an endpoint that Payfork disables. Also false if a success was recorded since it was read. */
  disable(config: WebhookConfig, audit: WebhookAudit): Promise<boolean>;
  /**
   * Records since when deliveries fail. Does nothing if a time is set already or the config has changed since it was
   * read.
   */
  recordFailing(config: WebhookConfig, field: FailingSince, since: Date): Promise<void>;
  /** Records recovery: removes the failing times that were read. */
  recordRecovery(config: WebhookConfig): Promise<void>;
  /** Newest first, starting at the entry with the number `from`. */
  audit(orgId: string, from: number, limit: number): Promise<readonly WebhookAudit[]>;
  /** The running replay of failed events, or the last one. */
  bulkReplay(orgId: string): Promise<BulkReplay | undefined>;
  /** False if the stored version is not `replay.version - 1` (0: not stored). */
  saveBulkReplay(replay: BulkReplay): Promise<boolean>;
}
