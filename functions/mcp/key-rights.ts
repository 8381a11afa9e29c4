import { unauthenticated } from '#functions/mcp/call-tool.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import type { Secret } from '#shared/kernel/secret.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** What a key may do. The API decides about each call all the same. */
export type KeyRights = { readonly scopes: readonly string[]; readonly agent: boolean };

type Known = { readonly rights: KeyRights; readonly until: number };

/** By the hash of the key: which tools it sees does not change while it exists. */
const known = new Map<string, Known>();
const MAX_KNOWN = 1_000;

/** Throws for a key that the API does not know, as the API does. */
export async function rightsOf(key: Secret, { ownApi, clock }: Pick<Deps, 'ownApi' | 'clock'>): Promise<KeyRights> {
  const hash = sha256Hex(key.reveal());
  const now = clock.now().getTime();
  const found = known.get(hash);
  if (found && found.until > now) return found.rights;
  const { status, body } = await ownApi.call({ method: 'GET', path: '/v1/api-keys/current', key });
  if (status !== 200) throw refusal(status, body);
  const { scopes, agent } = body as KeyRights;
  known.set(hash, { rights: { scopes, agent }, until: now + MINUTE });
  const oldest = known.size > MAX_KNOWN ? known.keys().next().value : undefined;
  if (oldest !== undefined) known.delete(oldest);
  return { scopes, agent };
}

function refusal(status: number, body: unknown): AppError {
  if (status === 401) return unauthenticated();
  const { message, retry_after } = (body ?? {}) as { readonly message?: string; readonly retry_after?: number };
  const more = retry_after === undefined ? {} : { retryAfter: retry_after };
  if (status === 429) return new AppError('rate_limited', message ?? 'Too many requests.', more);
  if (status === 403) return new AppError('missing_role', message ?? 'This key cannot use the API.');
  return new AppError('service_unavailable', 'The API cannot be reached. Try again in a minute.', { retryAfter: 60 });
}
