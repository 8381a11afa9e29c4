import type { WebhookAudit } from '#shared/domain/webhooks/webhook-audit.rules.ts';
import type { WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';
import type { FailingSince } from '#shared/domain/webhooks/webhook-health.rules.ts';

export interface WebhookConfigsPort {
  get(orgId: string): Promise<WebhookConfig | undefined>;
  /**
   * Writes the config with its audit entry. False if the stored version is not `config.version - 1` (0: not stored).
   * Never sets the failing times; `resetsFailing` clears them.
   */
  save(config: WebhookConfig, audit?: WebhookAudit, resetsFailing?: boolean): Promise<boolean>;
  /** Like `save`, when the service disables the endpoint: false also if a success was recorded since it was read. */
  disable(config: WebhookConfig, audit: WebhookAudit): Promise<boolean>;
  /** Records since when deliveries fail, on the version that was read, unless a time is set already. */
  recordFailing(config: WebhookConfig, field: FailingSince, since: Date): Promise<void>;
  /** Records recovery: removes the failing times that were read. */
  recordRecovery(config: WebhookConfig): Promise<void>;
  /** Newest first, from the entry of that number downwards. */
  audit(orgId: string, from: number, limit: number): Promise<readonly WebhookAudit[]>;
}
