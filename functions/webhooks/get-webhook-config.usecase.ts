import type { ListWebhookAuditInput } from '#functions/webhooks/webhooks.schema.ts';
import { limitPageSize } from '#shared/domain/reference/page.rules.ts';
import { isClaimedActor } from '#shared/domain/routing/connection-audit.rules.ts';
import type { WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';
import { validPreviousSecrets } from '#shared/domain/webhooks/webhook-config.rules.ts';
import { maskedSecret, signingSecretContext } from '#shared/domain/webhooks/webhook-signature.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function getWebhookConfig(
  _: unknown,
  caller: Caller,
  deps: Pick<Deps, 'webhookConfigs' | 'vault' | 'clock'>,
) {
  return viewConfig(await getConfig(caller.orgId, deps), caller, deps);
}

/** Newest first. Entries are numbered 1, 2, 3 …, so the store finds any page directly. */
export async function listWebhookAudit(
  query: ListWebhookAuditInput,
  caller: Caller,
  deps: Pick<Deps, 'webhookConfigs'>,
) {
  const { audits } = await getConfig(caller.orgId, deps);
  const newest = query.cursor === undefined ? audits : Number(query.cursor) - 1;
  const from = Math.min(newest, audits) - query.offset;
  const entries = from < 1 ? [] : limitPageSize(await deps.webhookConfigs.audit(caller.orgId, from, query.limit));
  const last = entries.at(-1)?.id ?? 1;
  return {
    items: entries.map((entry) => ({ ...entry, actor_claimed: isClaimedActor(entry) })),
    next: last > 1 ? String(last) : undefined,
  };
}

/** The organization's configuration, or 404. */
export const getConfig = async (
  orgId: string,
  { webhookConfigs }: Pick<Deps, 'webhookConfigs'>,
): Promise<WebhookConfig> =>
  orNotFound(
    await webhookConfigs.get(orgId),
    'Webhooks are not configured for this organization. Configure them with POST /v1/webhooks/config.',
  );

/**
 * Callers with `webhooks:write` see the whole secret, as they set up endpoints with it. Others see only its last
 * characters.
 */
export async function viewConfig(
  config: WebhookConfig,
  caller: Caller,
  { vault, clock }: Pick<Deps, 'vault' | 'clock'>,
) {
  const secret = (await vault.open(config.sealed_secret, signingSecretContext(config.org_id))).reveal();
  return {
    ...config,
    signing_secret: caller.scopes.includes('webhooks:write') ? secret : maskedSecret(secret),
    previous_secret_expires_at: validPreviousSecrets(config, clock.now())[0]?.until ?? null,
    disabled_at: config.disabled_at ?? null,
    disabled_reason: config.disabled_reason ?? null,
  };
}
