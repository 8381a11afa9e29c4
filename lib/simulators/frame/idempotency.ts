import { createHash } from 'node:crypto';
import type { WireRequest } from '#lib/simulators/frame/wire.ts';

/** Whether two requests are the same: where they go to, and all that they say. */
export const pathAndBody = ({ path, body }: WireRequest): string =>
  createHash('sha256').update(`${path}\n${body}`).digest('hex');
