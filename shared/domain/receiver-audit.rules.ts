import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '#shared/domain/connection-audit.rules.ts';
import type { DisabledReason, ReceiverConfig } from '#shared/domain/receiver-config.model.ts';
import { validFormer } from '#shared/domain/receiver-config.rules.ts';

export const RECEIVER_ACTS = ['webhook.configured', 'webhook.secret_rotated', 'webhook.disabled'] as const;

/** Who did what to an organization's webhooks. Its id counts 1, 2, 3 … */
export type ReceiverAudit = {
  readonly id: number;
  readonly actor_id: string;
  readonly action: (typeof RECEIVER_ACTS)[number];
  /** The service itself uses no credential; it has a reason. */
  readonly metadata: { readonly changes: Changes; readonly credential_id: string | null; readonly reason?: DisabledReason };
  readonly created_at: string;
  /** Of the operation that did it, so that its repeat finds it done; of the service itself, so that people are told of what was done. Not shown. */
  readonly act_id?: string;
};

/** Who acts, in which operation. */
type By = Actor & { readonly actId: string };

type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

/** What an entry tells of. Secrets have no line: only that there is another now. */
const TOLD = ['url', 'events', 'enabled', 'disabled_reason'] as const satisfies readonly (keyof ReceiverConfig)[];

/** The entry of what people save, or undefined where they changed nothing. */
export function auditOfConfiguring(before: ReceiverConfig | undefined, after: ReceiverConfig, by: By, at: Date): ReceiverAudit | undefined {
  const changes = { ...changesBetween(before, after), ...(!before && { signing_secret: { from: null, to: 'sealed' } }) };
  return Object.keys(changes).length > 0 ? byPeople(after, 'webhook.configured', changes, by, at) : undefined;
}

export function auditOfRotation(before: ReceiverConfig, after: ReceiverConfig, by: By, at: Date): ReceiverAudit {
  const former_secrets = { from: validFormer(before, at).length, to: validFormer(after, at).length };
  return byPeople(after, 'webhook.secret_rotated', { signing_secret: { from: 'replaced', to: 'sealed' }, former_secrets }, by, at);
}

export const auditOfTurningOff = (before: ReceiverConfig, after: ReceiverConfig, reason: DisabledReason, actId: string, at: Date): ReceiverAudit => ({
  id: after.audits,
  actor_id: 'system',
  action: 'webhook.disabled',
  metadata: { changes: changesBetween(before, after), credential_id: null, reason },
  created_at: at.toISOString(),
  act_id: actId,
});

const byPeople = ({ audits }: ReceiverConfig, action: ReceiverAudit['action'], changes: Changes, by: By, at: Date): ReceiverAudit => ({
  id: audits,
  actor_id: by.actorId ?? by.credentialId,
  action,
  metadata: { changes, credential_id: by.credentialId },
  created_at: at.toISOString(),
  act_id: by.actId,
});

function changesBetween(before: ReceiverConfig | undefined, after: ReceiverConfig): Changes {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const field of TOLD) if (!isDeepStrictEqual(before?.[field], after[field])) changes[field] = { from: before?.[field] ?? null, to: after[field] ?? null };
  return changes;
}
