import type { ReceiverConfig } from '#shared/domain/receiver-config.model.ts';
import { maskedSecret, secretPlace } from '#shared/domain/webhook-signature.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Who may configure sees the secret whole: receivers are set up with it. */
export async function shownConfig(config: ReceiverConfig, caller: Caller, { vault }: Pick<Deps, 'vault'>) {
  const secret = (await vault.open(config.sealed_secret, secretPlace(config.org_id))).reveal();
  return { ...config, signing_secret: caller.scopes.includes('webhooks:write') ? secret : maskedSecret(secret) };
}
