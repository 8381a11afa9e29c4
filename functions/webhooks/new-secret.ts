import { secretPlace, signingSecret } from '#shared/domain/webhooks/webhook-signature.rules.ts';
import { operationSecret } from '#shared/kernel/operation.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The operation's new secret, sealed: a repeat makes the same one. */
export function newSecret(
  { orgId, operation }: Caller,
  { vault, config }: Pick<Deps, 'vault' | 'config'>,
): Promise<string> {
  const bytes = operationSecret(config.hashSecret, 'signing secret', operation);
  return vault.seal(new Secret(signingSecret(bytes)), secretPlace(orgId));
}
