import { closest, type RateState, windowsFor } from '#shared/domain/rate-limits.rules.ts';
import { type ApiEvent, sourceIp } from '#shared/http/request-state.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The address's read window, uncounted, for answers to requests that no credential was found for. A header is worth no failure. */
export async function shownRate(event: ApiEvent, at: Date, { keys }: Pick<Deps, 'keys'>): Promise<RateState> {
  try {
    return await keys.showAddress(sourceIp(event), at);
  } catch {
    return closest(windowsFor('reads', at), {});
  }
}
