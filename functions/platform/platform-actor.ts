import { AppError } from '#shared/kernel/errors.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { PlatformActor, PlatformChangeResult } from '#shared/ports/platform.port.ts';

/** The caller, with the role that the request was authorized with. */
export function platformActorOf(caller: Caller): PlatformActor {
  const { userId, platformRole } = signedInUserOf(caller);
  if (!platformRole) throw new Error('The middleware let a caller pass who is not an administrator.');
  return { user_id: userId, role: platformRole };
}

/** Throws if the actor lost the role while the request ran: the change was not saved. */
export function assertNotDemoted(outcome: PlatformChangeResult): Exclude<PlatformChangeResult, 'demoted'> {
  if (outcome === 'demoted')
    throw new AppError('missing_role', 'Your own role on the platform was just changed. Reload and try again.');
  return outcome;
}
