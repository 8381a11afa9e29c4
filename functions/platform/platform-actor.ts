import { AppError } from '#shared/kernel/errors.ts';
import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { ActDone, PlatformActor } from '#shared/ports/platform.port.ts';

/** The role that the request was authorized with. */
export function platformActorOf(caller: Caller): PlatformActor {
  const { userId, platformRole } = personOf(caller);
  if (!platformRole) throw new Error('The chain let somebody pass who is no administrator.');
  return { user_id: userId, role: platformRole };
}

/** An actor who loses the role while the act is under way has not done it. */
export function refuseDemoted(outcome: ActDone): Exclude<ActDone, 'demoted'> {
  if (outcome === 'demoted') throw new AppError('missing_role', 'Your own role on the platform has just been changed.');
  return outcome;
}
