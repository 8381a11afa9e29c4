import { monotonic } from '#shared/kernel/clock.ts';
import type { Deadline } from '#shared/ports/psp.port.ts';

/** All PSP calls of one request together: what is left of API Gateway's 30 s must still store and send the answer. */
const PSP_TIME = 20_000;

/** A charge that could not be heard out is not begun: of 20 s it wants 6. */
const LEAST_FOR_A_CHARGE = 0.3;

export function pspDeadline(ms: number = PSP_TIME): Deadline {
  const end = monotonic() + ms;
  return { remaining: () => Math.max(0, end - monotonic()) };
}

/** Ask with a deadline that has just begun; what it answers tells later whether enough of it is left. */
export function timeForACharge(deadline: Deadline): () => boolean {
  const least = deadline.remaining() * LEAST_FOR_A_CHARGE;
  return () => deadline.remaining() >= least;
}
