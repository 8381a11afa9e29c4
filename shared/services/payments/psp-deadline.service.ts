import { monotonic } from '#shared/kernel/clock.ts';
import type { Deadline } from '#shared/ports/psp.port.ts';

/** Time for all PSP calls of one request: the rest of API Gateway's 30 s is for storing and sending the answer. */
const PSP_TIME = 20_000;

/** The share of the time that a charge needs for its answer (6 of 20 s): with less left none is sent. */
const LEAST_FOR_A_CHARGE = 0.3;

export function pspDeadline(ms: number = PSP_TIME): Deadline {
  const end = monotonic() + ms;
  return { remaining: () => Math.max(0, end - monotonic()) };
}

/** Call it with a fresh deadline; the result tells later whether enough time is left. */
export function timeForACharge(deadline: Deadline): () => boolean {
  const least = deadline.remaining() * LEAST_FOR_A_CHARGE;
  return () => deadline.remaining() >= least;
}
