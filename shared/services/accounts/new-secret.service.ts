import { randomBytes } from 'node:crypto';
import { Secret } from '#shared/kernel/secret.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { SealContext } from '#shared/ports/vault.port.ts';

/** The random bytes of a new secret: 32. */
export const randomSecretBytes = (): Buffer => randomBytes(32);

/**
 * Random bytes for the one secret that this operation issues. A retry after a crash gets the same bytes: they are
 * stored, sealed, in the claim of the idempotency key. `purpose` selects the vault key that the function may use.
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
  const stored = await claims.storeSecret(operation.seed, sealed);
  return stored === sealed ? bytes : Buffer.from((await vault.open(stored, context)).reveal(), 'base64url');
}
