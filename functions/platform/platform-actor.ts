import { AppError } from '#shared/kernel/errors.ts';
import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { ActDone, PlatformActor } from '#shared/ports/platform.port.ts';

/** The role is the one that the request was let in with. */
export function platformActorOf(caller: Caller): PlatformActor {
  const { userId, platformRole } = personOf(caller);
  if (!platformRole) throw new Error('The chain let somebody pass who is no administrator.');
  return { user_id: userId, role: platformRole };
}

/** Whoever loses the role while his act is on its way has not done it. */
export function refuseDemoted(outcome: ActDone): Exclude<ActDone, 'demoted'> {
  if (outcome === 'demoted') throw new AppError('missing_role', 'Your own role on the platform has just been changed.');
  return outcome;
}
