import { applyDeadline, applyFound, settleUnknownAnswer } from '#shared/domain/disputes/dispute.machine.ts';
import type { Dispute, FoundDispute } from '#shared/domain/disputes/dispute.model.ts';
import { disputeDueAt, isClosed } from '#shared/domain/disputes/dispute.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { PspRefused } from '#shared/ports/psp.port.ts';
import { type ApplyDisputeDeps, changeDispute } from '#shared/services/disputes/apply-dispute.service.ts';
import {
  type DisputeSessionDeps,
  lookUpDispute,
  openDisputeSession,
  refOfDispute,
} from '#shared/services/disputes/dispute-session.service.ts';
import { relayDispute } from '#shared/services/relay/relay-events.service.ts';

export type DueDisputeDeps = ApplyDisputeDeps &
  DisputeSessionDeps &
  Pick<Deps, 'log'> &
  Parameters<typeof relayDispute>[1];

/** Looks an open dispute up, and does what only the clock brings: the warning before its deadline, and its end. */
export async function processDueDispute(due: Dispute, deps: DueDisputeDeps): Promise<void> {
  const before = await relayDispute(due, deps);
  const isDue = (disputeDueAt(before) ?? '~') <= deps.clock.now().toISOString();
  if (!isDue || (isClosed(before) && !before.sending)) return;
  const lookUp = await tryLookUp(before, deps);
  await changeDispute(before, (dispute) => afterLookUp(dispute, before, lookUp, deps.clock.now()), deps);
}

/** `isPossible`: false where the PSP has no look-up, or its account cannot be opened any more. */
type LookUp = { readonly found?: FoundDispute | undefined; readonly isPossible: boolean };

async function tryLookUp(dispute: Dispute, deps: DueDisputeDeps): Promise<LookUp> {
  try {
    const found = await lookUpDispute(refOfDispute(dispute), await openDisputeSession(dispute, deps));
    return { found, isPossible: found !== undefined };
  } catch (error) {
    deps.log.warn('dispute_not_looked_up', { dispute_id: dispute.id, org_id: dispute.org_id, error });
    return { isPossible: !(error instanceof PspRefused && error.kind === 'not_found') };
  }
}

/** Where the dispute has changed during the look-up, that may be older than the change, and only leads forward. */
function afterLookUp(dispute: Dispute, before: Dispute, { found, isPossible }: LookUp, at: Date): Dispute {
  const source = dispute.version === before.version ? 'look_up' : 'report';
  const settled = settleUnknownAnswer(dispute, found, at) ?? dispute;
  const known = (found && applyFound(settled, found, source, at)) ?? settled;
  return { ...(applyDeadline(known, isPossible, at) ?? known), asked_at: at.toISOString() };
}
