import { type Changes, changesBetween } from '#shared/domain/reference/changes.rules.ts';
import type { Actor } from '#shared/domain/routing/connection-audit.rules.ts';
import type { DisabledReason, ReceiverConfig } from '#shared/domain/webhooks/receiver-config.model.ts';
import { validFormer } from '#shared/domain/webhooks/receiver-config.rules.ts';

export const RECEIVER_ACTS = ['webhook.configured', 'webhook.secret_rotated', 'webhook.disabled'] as const;

/** An audit entry of an organization's webhooks. Its id counts 1, 2, 3 … */
export type ReceiverAudit = {
  readonly id: number;
  readonly actor_id: string;
  readonly action: (typeof RECEIVER_ACTS)[number];
  /** The service itself has no credential, but a reason. */
  readonly metadata: {
    readonly changes: Changes;
    readonly credential_id: string | null;
    readonly reason?: DisabledReason;
  };
  readonly created_at: string;
  /**
   * The operation's id, so that a repeat finds its work done, or the service's own act, for the notification. Not
   * shown.
   */
  readonly act_id?: string;
};

/** The actor, and the operation. */
type By = Actor & { readonly actId: string };

/** The audited fields. Secrets are not among them: an entry shows only that they changed. */
const TOLD = ['url', 'events', 'enabled', 'disabled_reason'] as const satisfies readonly (keyof ReceiverConfig)[];

/** The entry of a save, or undefined where nothing changed. */
export function auditOfConfiguring(
  before: ReceiverConfig | undefined,
  after: ReceiverConfig,
  by: By,
  at: Date,
): ReceiverAudit | undefined {
  const changes = {
    ...changesBetween(TOLD, before, after),
    ...(!before && { signing_secret: { from: null, to: 'sealed' } }),
  };
  return Object.keys(changes).length > 0 ? byPeople(after, 'webhook.configured', changes, by, at) : undefined;
}

export function auditOfRotation(before: ReceiverConfig, after: ReceiverConfig, by: By, at: Date): ReceiverAudit {
  const former_secrets = { from: validFormer(before, at).length, to: validFormer(after, at).length };
  return byPeople(
    after,
    'webhook.secret_rotated',
    { signing_secret: { from: 'replaced', to: 'sealed' }, former_secrets },
    by,
    at,
  );
}

export const auditOfTurningOff = (
  before: ReceiverConfig,
  after: ReceiverConfig,
  reason: DisabledReason,
  actId: string,
  at: Date,
): ReceiverAudit => ({
  id: after.audits,
  actor_id: 'system',
  action: 'webhook.disabled',
  metadata: { changes: changesBetween(TOLD, before, after), credential_id: null, reason },
  created_at: at.toISOString(),
  act_id: actId,
});

const byPeople = (
  { audits }: ReceiverConfig,
  action: ReceiverAudit['action'],
  changes: Changes,
  by: By,
  at: Date,
): ReceiverAudit => ({
  id: audits,
  actor_id: by.actorId ?? by.credentialId,
  action,
  metadata: { changes, credential_id: by.credentialId },
  created_at: at.toISOString(),
  act_id: by.actId,
});
