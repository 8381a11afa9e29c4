import type { ReceiverConfig } from '#shared/domain/webhooks/receiver-config.model.ts';
import { validFormer } from '#shared/domain/webhooks/receiver-config.rules.ts';
import { maskedSecret, secretPlace } from '#shared/domain/webhooks/webhook-signature.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Callers who may configure see the whole secret: receivers are set up with it. */
export async function shownConfig(
  config: ReceiverConfig,
  caller: Caller,
  { vault, clock }: Pick<Deps, 'vault' | 'clock'>,
) {
  const secret = (await vault.open(config.sealed_secret, secretPlace(config.org_id))).reveal();
  return {
    ...config,
    signing_secret: caller.scopes.includes('webhooks:write') ? secret : maskedSecret(secret),
    previous_secret_expires_at: validFormer(config, clock.now())[0]?.until ?? null,
    disabled_at: config.disabled_at ?? null,
    disabled_reason: config.disabled_reason ?? null,
  };
}
