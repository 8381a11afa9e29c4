import { SECOND } from '#shared/kernel/clock.ts';

/**
 * How all outgoing calls connect. This is the time for one address while a name has others: Node's default of 250 ms
 * gives up distant servers, and the next address may be unreachable.
 */
export const CONNECTING = { autoSelectFamilyAttemptTimeout: 2 * SECOND } as const;
