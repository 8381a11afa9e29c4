import { newSecret } from '#functions/webhooks/new-secret.ts';
import { shownConfig } from '#functions/webhooks/shown-config.ts';
import { actId, wasDone } from '#functions/webhooks/was-done.ts';
import type { RotateSecretInput } from '#functions/webhooks/webhooks.schema.ts';
import { auditOfRotation } from '#shared/domain/webhooks/receiver-audit.rules.ts';
import { rotated } from '#shared/domain/webhooks/receiver-config.rules.ts';
import { need } from '#shared/kernel/errors.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'receivers' | 'vault' | 'clock' | 'config'>;

/** Replaces the secret once: a repeat after a crash finds it done, even after later changes. */
export async function rotateSecret({ expire_previous = false }: RotateSecretInput, caller: Caller, deps: Needs) {
  const config = await inRounds(async () => {
    const current = need(
      await deps.receivers.get(caller.orgId),
      'Webhooks are not configured yet. Use POST /v1/webhooks/config.',
    );
    if (await wasDone(current.audits, caller, deps)) return current;
    const at = deps.clock.now();
    const next = rotated(current, await newSecret(caller, deps), expire_previous, at);
    const audit = auditOfRotation(current, next, { ...caller, actId: actId(caller) }, at);
    return (await deps.receivers.save(next, audit)) ? next : undefined;
  }, 'Others are configuring webhooks right now. Please try again.');
  return shownConfig(config, caller, deps);
}
