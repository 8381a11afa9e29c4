import { getConfig, viewConfig } from '#functions/webhooks/get-webhook-config.usecase.ts';
import type { ConfigureWebhookInput, RotateSecretInput } from '#functions/webhooks/webhooks.schema.ts';
import { configuredEntry, rotatedEntry } from '#shared/domain/webhooks/webhook-audit.rules.ts';
import type { WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';
import { applyConfig, newConfig, withNewSecret } from '#shared/domain/webhooks/webhook-config.rules.ts';
import { isFailing } from '#shared/domain/webhooks/webhook-health.rules.ts';
import { signingSecret, signingSecretContext } from '#shared/domain/webhooks/webhook-signature.rules.ts';
import { operationId } from '#shared/kernel/operation.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { newSecretBytes } from '#shared/services/accounts/new-secret.service.ts';

const CONFLICT = 'Someone else is changing the webhook configuration right now. Try again.';

type Needs = Pick<Deps, 'webhookConfigs' | 'vault' | 'webhookHttp' | 'clock' | 'config' | 'claims'>;

/** The first save makes the signing secret; later saves keep it. A save that changes nothing writes no audit entry. */
export async function configureWebhook(input: ConfigureWebhookInput, caller: Caller, deps: Needs) {
  await deps.webhookHttp.check(input.url);
  const config = await retryOnConflict(async () => {
    const current = await deps.webhookConfigs.get(caller.orgId);
    if (current && (await isRepeat(current.audits, caller, deps))) return current;
    const at = deps.clock.now();
    const next = applyConfig(current ?? newConfig(caller.orgId, await newSigningSecret(caller, deps), at), input, at);
    return saveConfig(current, next, caller, at, deps);
  }, CONFLICT);
  return viewConfig(config, caller, deps);
}

async function saveConfig(
  current: WebhookConfig | undefined,
  next: WebhookConfig,
  caller: Caller,
  at: Date,
  { webhookConfigs }: Pick<Deps, 'webhookConfigs'>,
) {
  const audit = configuredEntry(current, next, { ...caller, auditId: auditId(caller) }, at);
  if (audit) return (await webhookConfigs.save(next, audit, next.enabled)) ? next : undefined;
  // Saving the same configuration again clears the endpoint's failures: the merchant says that it is repaired.
  if (!current || isFailing(current) === isFailing(next)) return current;
  const cleared = { ...next, audits: current.audits };
  return (await webhookConfigs.save(cleared, undefined, true)) ? cleared : undefined;
}

/** The operation's new secret, sealed. A repeat returns the same one. */
async function newSigningSecret(caller: Caller, deps: Pick<Deps, 'vault' | 'claims'>): Promise<string> {
  const bytes = await newSecretBytes(caller, deps);
  return deps.vault.seal(new Secret(signingSecret(bytes)), signingSecretContext(caller.orgId));
}

/** Audit entries read at once while looking for this operation's own. */
const AUDIT_PAGE = 50;

/** Marks the audit entry of this operation, so that a repeat recognizes it. */
const auditId = ({ operation }: Pick<Caller, 'operation'>): string => operationId(operation, 'act');

/**
 * Whether an earlier run of this operation saved its change and then crashed. The audit log shows it even after later
 * changes by others. Those must not be undone, and a secret that they revoked must not come back.
 */
async function isRepeat(
  audits: number,
  caller: Caller,
  { webhookConfigs }: Pick<Deps, 'webhookConfigs'>,
): Promise<boolean> {
  if (!caller.operation.resumed) return false;
  for (let from = audits; from > 0; from -= AUDIT_PAGE) {
    const entries = await webhookConfigs.audit(caller.orgId, from, AUDIT_PAGE);
    if (entries.some(({ act_id }) => act_id === auditId(caller))) return true;
    if (entries.some(({ created_at }) => created_at < caller.operation.at.toISOString())) return false;
  }
  return false;
}

/** Replaces the secret once: a retry after a crash finds the audit entry and changes nothing. */
export async function rotateSecret(
  { expire_previous = false }: RotateSecretInput,
  caller: Caller,
  deps: Omit<Needs, 'webhookHttp'>,
) {
  const config = await retryOnConflict(async () => {
    const current = await getConfig(caller.orgId, deps);
    if (await isRepeat(current.audits, caller, deps)) return current;
    const at = deps.clock.now();
    const next = withNewSecret(current, await newSigningSecret(caller, deps), expire_previous, at);
    const audit = rotatedEntry(current, next, { ...caller, auditId: auditId(caller) }, at);
    return (await deps.webhookConfigs.save(next, audit)) ? next : undefined;
  }, CONFLICT);
  return viewConfig(config, caller, deps);
}
