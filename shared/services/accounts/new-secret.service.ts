import { randomBytes } from 'node:crypto';
import { Secret } from '#shared/kernel/secret.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { SealContext } from '#shared/ports/vault.port.ts';

/** The random bytes of a new secret: 32. */
export const randomSecretBytes = (): Buffer => randomBytes(32);

/**
 * Random bytes for the one secret that this operation issues. A retry after a crash gets the same bytes: they are kept,
 * sealed, in the claim of the request's idempotency key. `purpose`: names the vault's key that the function may use.
 */
export async function newSecretBytes(
  { orgId, operation, idempotencyRequest }: Pick<Caller, 'orgId' | 'operation' | 'idempotencyRequest'>,
  { claims, vault }: Pick<Deps, 'claims' | 'vault'>,
  purpose: 'answer' | 'integration' = 'answer',
): Promise<Buffer> {
  const bytes = randomSecretBytes();
  if (!idempotencyRequest) return bytes;
  const context: SealContext = { orgId, purpose, id: `secret of ${operation.seed}` };
  const sealed = await vault.seal(new Secret(bytes.toString('base64url')), context);
  const kept = await claims.keepSecret(operation.seed, sealed);
  return kept === sealed ? bytes : Buffer.from((await vault.open(kept, context)).reveal(), 'base64url');
}
