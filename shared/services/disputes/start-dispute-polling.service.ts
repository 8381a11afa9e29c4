import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** What was opened before us is read once. */
const FIRST_POLL_REACHES_BACK = 30 * DAY;

/**
 * Has the timer read the account's list of disputes, for a PSP that sends no callbacks about them. Called where a payment
 * of the connection has moved on; each process looks at most once an hour.
 */
export async function pollDisputesOf(
  { org_id, id, provider }: Pick<Connection, 'org_id' | 'id' | 'provider'>,
  { disputePolls, psp, clock }: Pick<Deps, 'disputePolls' | 'psp' | 'clock'>,
): Promise<void> {
  if (psp.adapter(provider)?.disputes?.toldBy !== 'polled') return;
  const at = clock.now();
  await disputePolls.start({ org_id, connection_id: id }, plus(at, -FIRST_POLL_REACHES_BACK), at);
}
