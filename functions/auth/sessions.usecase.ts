import type { ListSessionsInput } from '#functions/auth/sessions.schema.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type SessionDeps = Pick<Deps, 'userSessions' | 'clock'>;

export async function listSessions(query: ListSessionsInput, caller: Caller, { userSessions, clock }: SessionDeps) {
  const { userId, sessionHash } = signedInUserOf(caller);
  const page = pageOf(await userSessions.list(userId, clock.now()), query, ({ id }) => id);
  const items = page.items.map(({ id, created_at, seen_at, ends_at, proved_by, hash }) => ({
    id,
    current: hash === sessionHash,
    created_at,
    last_used_at: seen_at,
    expires_at: ends_at,
    proved_by,
  }));
  return { ...page, items };
}

/** Needs no proof: whoever finds a session that is not theirs must be able to end it at once. */
export async function endSession(
  { id }: { readonly id: string },
  caller: Caller,
  { sessions, userSessions, clock }: SessionDeps & Pick<Deps, 'sessions'>,
) {
  const { userId } = signedInUserOf(caller);
  const all = await userSessions.list(userId, clock.now());
  const { hash } = orNotFound(
    all.find((session) => session.id === id),
    'You have no session with this id. It may have ended already.',
  );
  await sessions.end(userId, hash);
  return { id, deleted: true as const };
}
