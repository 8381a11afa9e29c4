import { closest, type RateState, windowsFor } from '#shared/domain/accounts/rate-limits.rules.ts';
import { type ApiEvent, sourceIp } from '#shared/http/request-state.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * The address's read window, uncounted, for answers to unauthenticated requests. A failure here must not fail the
 * answer.
 */
export async function shownRate(event: ApiEvent, at: Date, { rates }: Pick<Deps, 'rates'>): Promise<RateState> {
  try {
    return await rates.showAddress(sourceIp(event), at);
  } catch {
    return closest(windowsFor('reads', at), {});
  }
}
