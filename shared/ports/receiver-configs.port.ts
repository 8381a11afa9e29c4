import type { ReceiverAudit } from '#shared/domain/webhooks/receiver-audit.rules.ts';
import type { ReceiverConfig } from '#shared/domain/webhooks/receiver-config.model.ts';
import type { FailingSince } from '#shared/domain/webhooks/receiver-health.rules.ts';

export interface ReceiversPort {
  get(orgId: string): Promise<ReceiverConfig | undefined>;
  /**
   * Written with its audit entry. False if the stored version is not `config.version - 1` (0: not stored). It can only
   * clear the failing times, never set them.
   */
  save(config: ReceiverConfig, audit?: ReceiverAudit, startsAnew?: boolean): Promise<boolean>;
  /** As `save`, for a turn-off by the service: false also if a success was recorded since it was read. */
  turnOff(config: ReceiverConfig, audit: ReceiverAudit): Promise<boolean>;
  /** Records it on the version that was read, unless such a time is set already. */
  noteFailing(config: ReceiverConfig, field: FailingSince, since: Date): Promise<void>;
  /** Records recovery: removes the failing times that were read. */
  noteBack(config: ReceiverConfig): Promise<void>;
  /** Newest first, from the entry of that number downwards. */
  audit(orgId: string, from: number, limit: number): Promise<readonly ReceiverAudit[]>;
}
