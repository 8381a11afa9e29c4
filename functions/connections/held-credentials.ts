import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { HeldCredentials } from '#shared/domain/routing/connection-credentials.rules.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Given = Readonly<Record<string, unknown>>;
type Place = { readonly orgId: string; readonly id: string };

/** Seals the credentials that a client sends; the same operation or unchanged credentials keep the sealed text. */
export function sealedOnce(given: Given | undefined, place: Place, { vault, config }: Pick<Deps, 'vault' | 'config'>) {
  const marks = given && marksOf(given, place, config);
  let sealed: Promise<string> | undefined;
  return async (stored: Connection | undefined): Promise<HeldCredentials | undefined> => {
    if (!marks) return undefined;
    const isThere = stored?.content_mark === marks.content_mark && stored.sealed_credentials !== '';
    if (isThere) return { ...marks, sealed_credentials: stored.sealed_credentials };
    sealed ??= vault.seal(new Secret(JSON.stringify(given)), { ...place, purpose: 'credentials' });
    return { ...marks, sealed_credentials: await sealed };
  };
}

/**
 * Keyed hashes that are equal for equal credentials in any order of fields, and reveal nothing. The first leaves the
 * webhook secret out, as that opens no account.
 */
function marksOf(given: Given, { orgId, id }: Place, { hashSecret }: Pick<Deps['config'], 'hashSecret'>) {
  const fields = Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1));
  const markOf = (what: typeof fields) =>
    keyedHash(hashSecret, 'credentials', orgId, id, JSON.stringify(what)).subarray(0, 6).toString('base64url');
  return {
    credentials_mark: markOf(fields.filter(([name]) => name !== 'webhook_secret')),
    content_mark: markOf(fields),
  };
}
