import type { AttemptConnection } from '#shared/domain/payments/verdict.model.ts';
import type { Connection, FormerCredentials } from '#shared/domain/routing/connection.model.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';

/** How long replaced credentials are kept: to look up and refund what was paid with them (docs/adr/0021). */
const RETENTION = 30 * DAY;

/** Former credentials are in the item of the connection, so only a few are kept. */
const MAX_FORMER = 5;

export type NewCredentials = Required<Pick<Connection, 'credentials_mark' | 'content_mark' | 'sealed_credentials'>>;

type CredentialHolder = Pick<Connection, 'former' | 'created_at'> &
  Partial<Pick<Connection, 'credentials_mark' | 'content_mark' | 'credentials_at' | 'sealed_credentials'>>;

/**
 * Replaces the credentials and keeps the old ones as former; the same credentials change nothing. If only the webhook
 * secret changes, the old one is not kept: the account is the same, and the old secret may have leaked.
 */
export function replaceCredentials(current: CredentialHolder, replacement: NewCredentials | undefined, at: Date) {
  const { sealed_credentials = '', credentials_mark, content_mark, former: before } = current;
  if (!replacement || (replacement.content_mark === content_mark && sealed_credentials !== ''))
    return { sealed_credentials, former: before };
  if (replacement.credentials_mark === credentials_mark && sealed_credentials !== '')
    return { ...replacement, former: before };
  const former = [...before, ...formerCredentialsOf(current, at)].filter(
    ({ mark, until }) => mark !== replacement.credentials_mark && until > at.toISOString(),
  );
  return { ...replacement, credentials_at: at.toISOString(), former: keepLongestUsed(former) };
}

/** The credentials that are kept when they are replaced, or when a new connection takes the id. */
export function formerCredentialsOf(
  { credentials_mark: mark, credentials_at, created_at, sealed_credentials = '' }: CredentialHolder,
  replaced: Date,
): readonly FormerCredentials[] {
  if (sealed_credentials === '') return [];
  const until = plus(replaced, RETENTION).toISOString();
  return [{ ...(mark !== undefined && { mark }), sealed_credentials, from: credentials_at ?? created_at, until }];
}

/** Keeps those that were in use the longest: short-lived ones, such as wrong keys, have few payments. */
function keepLongestUsed(former: readonly FormerCredentials[]): readonly FormerCredentials[] {
  const used = ({ from, until }: FormerCredentials) => Date.parse(until) - Date.parse(from);
  const kept = new Set([...former].sort((a, b) => used(b) - used(a)).slice(0, MAX_FORMER));
  return former.filter((each) => kept.has(each));
}

/**
 * The credentials to open an attempt's PSP account with. `original`: those it was sent with, while they are retained.
 * `current`: the connection's, if they are others. They may be of another account. Missing if the attempt belongs to a
 * deleted connection of the same id.
 */
export function credentialsOf(
  connection: Connection,
  { credentials_mark, generation = 1 }: Pick<AttemptConnection, 'credentials_mark' | 'generation'>,
): { readonly original?: string; readonly current?: string } {
  const former = connection.former.find(({ mark }) => mark === credentials_mark);
  const current = connection.sealed_credentials === '' ? undefined : connection.sealed_credentials;
  if (credentials_mark === connection.credentials_mark || (credentials_mark === undefined && !former))
    return current === undefined ? {} : { original: current };
  const original = former && { original: former.sealed_credentials };
  return {
    ...original,
    ...(current !== undefined && (original || generation === connection.generation) && { current }),
  };
}

/** When the next retention period of stored credentials is over. */
export function purgeAt({ deleted_at, sealed_credentials, former }: Connection): Date | undefined {
  const ends = former.map(({ until }) => until);
  if (deleted_at !== undefined && sealed_credentials !== '') ends.push(plus(deleted_at, RETENTION).toISOString());
  const [first] = ends.sort();
  return first === undefined ? undefined : new Date(first);
}

/** Deletes credentials whose retention is over. Payments made with them can no longer be looked up or refunded here. */
export function purgeCredentials(current: Connection, at: Date): Connection | undefined {
  const due = purgeAt(current);
  if (!due || due > at) return undefined;
  const isOver = current.deleted_at !== undefined && plus(current.deleted_at, RETENTION) <= at;
  return {
    ...current,
    version: current.version + 1,
    audits: current.audits + 1,
    sealed_credentials: isOver ? '' : current.sealed_credentials,
    former: current.former.filter(({ until }) => until > at.toISOString()),
  };
}
