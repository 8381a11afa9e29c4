import { type Changes, changesBetween } from '#shared/domain/reference/changes.rules.ts';
import type { Actor } from '#shared/domain/routing/connection-audit.rules.ts';
import type { DisabledReason, WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';
import { validPreviousSecrets } from '#shared/domain/webhooks/webhook-config.rules.ts';

export const WEBHOOK_AUDIT_ACTIONS = ['webhook.configured', 'webhook.secret_rotated', 'webhook.disabled'] as const;

/** An audit entry of an organization's webhook configuration. Ids count 1, 2, 3 … */
export type WebhookAudit = {
  readonly id: number;
  readonly actor_id: string;
  readonly action: (typeof WEBHOOK_AUDIT_ACTIONS)[number];
  /** The service itself has no credential, but a reason. */
  readonly metadata: {
    readonly changes: Changes;
    readonly credential_id: string | null;
    readonly reason?: DisabledReason;
  };
  readonly created_at: string;
  /** Identifies the operation that made the entry, so that a repeat recognizes it. Not shown to clients. */
  readonly act_id?: string;
};

/** Who made a change. `auditId` identifies the operation. */
type AuditActor = Actor & { readonly auditId: string };

/** The fields that entries show. Of secrets an entry says only that they changed. */
const AUDITED_FIELDS = [
  'url',
  'events',
  'enabled',
  'disabled_reason',
] as const satisfies readonly (keyof WebhookConfig)[];

/** The entry of a save; undefined if nothing changed. */
export function configuredEntry(
  before: WebhookConfig | undefined,
  after: WebhookConfig,
  by: AuditActor,
  at: Date,
): WebhookAudit | undefined {
  const changes = {
    ...changesBetween(AUDITED_FIELDS, before, after),
    ...(!before && { signing_secret: { from: null, to: 'sealed' } }),
  };
  return Object.keys(changes).length > 0 ? userEntry(after, 'webhook.configured', changes, by, at) : undefined;
}

export function rotatedEntry(before: WebhookConfig, after: WebhookConfig, by: AuditActor, at: Date): WebhookAudit {
  const former_secrets = { from: validPreviousSecrets(before, at).length, to: validPreviousSecrets(after, at).length };
  return userEntry(
    after,
    'webhook.secret_rotated',
    { signing_secret: { from: 'replaced', to: 'sealed' }, former_secrets },
    by,
    at,
  );
}

export const disabledEntry = (
  before: WebhookConfig,
  after: WebhookConfig,
  reason: DisabledReason,
  actId: string,
  at: Date,
): WebhookAudit => ({
  id: after.audits,
  actor_id: 'system',
  action: 'webhook.disabled',
  metadata: { changes: changesBetween(AUDITED_FIELDS, before, after), credential_id: null, reason },
  created_at: at.toISOString(),
  act_id: actId,
});

const userEntry = (
  { audits }: WebhookConfig,
  action: WebhookAudit['action'],
  changes: Changes,
  by: AuditActor,
  at: Date,
): WebhookAudit => ({
  id: audits,
  actor_id: by.actorId ?? by.credentialId,
  action,
  metadata: { changes, credential_id: by.credentialId },
  created_at: at.toISOString(),
  act_id: by.auditId,
});
