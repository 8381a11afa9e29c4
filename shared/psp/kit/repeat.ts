import type { ChargeOrder, PspContext } from '#shared/ports/psp.port.ts';

/** A first send comes within this time, in ms. */
const FIRST_SEND_WITHIN = 30_000;

/** Whether the same order may have been sent before: by a worker that died, or without an answer. */
export const isRepeat = ({ startedAt }: ChargeOrder, { now }: Pick<PspContext<unknown>, 'now'>): boolean =>
  now().getTime() - Date.parse(startedAt) > FIRST_SEND_WITHIN;
