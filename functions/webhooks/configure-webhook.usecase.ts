import { newSecret } from '#functions/webhooks/new-secret.ts';
import { shownConfig } from '#functions/webhooks/shown-config.ts';
import { actId, wasDone } from '#functions/webhooks/was-done.ts';
import type { ConfigureWebhookInput } from '#functions/webhooks/webhooks.schema.ts';
import { auditOfConfiguring } from '#shared/domain/webhooks/receiver-audit.rules.ts';
import type { ReceiverConfig } from '#shared/domain/webhooks/receiver-config.model.ts';
import { configured, unconfigured } from '#shared/domain/webhooks/receiver-config.rules.ts';
import { isSaidToFail } from '#shared/domain/webhooks/receiver-health.rules.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'receivers' | 'vault' | 'outbound' | 'clock' | 'config'>;

/** The secret is made with the first configuration and kept until it is rotated. No change leaves no audit entry. */
export async function configureWebhook(input: ConfigureWebhookInput, caller: Caller, deps: Needs) {
  await deps.outbound.check(input.url);
  const config = await inRounds(async () => {
    const current = await deps.receivers.get(caller.orgId);
    if (current && (await wasDone(current.audits, caller, deps))) return current;
    const at = deps.clock.now();
    const next = configured(current ?? unconfigured(caller.orgId, await newSecret(caller, deps), at), input, at);
    return saved(current, next, caller, at, deps);
  }, 'Others are configuring webhooks right now. Please try again.');
  return shownConfig(config, caller, deps);
}

async function saved(
  current: ReceiverConfig | undefined,
  next: ReceiverConfig,
  caller: Caller,
  at: Date,
  { receivers }: Needs,
) {
  const audit = auditOfConfiguring(current, next, { ...caller, actId: actId(caller) }, at);
  if (audit) return (await receivers.save(next, audit, next.enabled)) ? next : undefined;
  // An unchanged save only matters for a failing receiver: it is confirmed, and starts anew.
  if (!current || isSaidToFail(current) === isSaidToFail(next)) return current;
  const renewed = { ...next, audits: current.audits };
  return (await receivers.save(renewed, undefined, true)) ? renewed : undefined;
}
