import { shownConfig } from '#functions/webhooks/shown-config.ts';
import type { ConfigureWebhookInput } from '#functions/webhooks/webhooks.schema.ts';
import { secretPlace, signingSecret } from '#shared/domain/webhook-signature.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'receivers' | 'vault' | 'outbound' | 'clock' | 'config'>;

/** How often a lost race is run again: against a first configuration, only once. */
const ROUNDS = 3;

/** The secret is made with the first configuration and kept through all others. */
export async function configureWebhook(input: ConfigureWebhookInput, caller: Caller, deps: Needs) {
  await deps.outbound.check(input.url);
  for (let round = 0; round < ROUNDS; round += 1) {
    const current = await deps.receivers.get(caller.orgId);
    const now = deps.clock.now().toISOString();
    const sealed_secret = current?.sealed_secret ?? (await newSecret(caller, deps));
    const config = { org_id: caller.orgId, ...input, sealed_secret, created_at: current?.created_at ?? now, updated_at: now };
    if (await deps.receivers.save(config, !current)) return shownConfig(config, caller, deps);
  }
  throw new AppError('write_conflict', 'Others are configuring webhooks right now. Please try again.');
}

function newSecret(caller: Caller, { vault, config }: Needs): Promise<string> {
  const bytes = keyedHash(config.hashSecret, 'signing secret', caller.operation.seed);
  return vault.seal(new Secret(signingSecret(bytes)), secretPlace(caller.orgId));
}
