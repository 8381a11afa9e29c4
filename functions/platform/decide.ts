import { platformActorOf, refuseDemoted } from '#functions/platform/platform-actor.ts';
import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { actOf, refuseOtherName, type Verdict, verdictTold } from '#shared/domain/accounts/platform.rules.ts';
import { need } from '#shared/kernel/errors.ts';
import { isId } from '#shared/kernel/ids.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type DecideNeeds = Pick<Deps, 'organizations' | 'platform'>;

/**
 * An administrator's verdict on an organization, with its entry in the audit log. They may belong to it: otherwise a
 * stage with one owner could never verify that owner's organization, and the log names them.
 */
export function decide(
  orgId: string,
  verdict: Verdict,
  caller: Caller,
  { organizations, platform }: DecideNeeds,
): Promise<Organization> {
  return inRounds(async () => {
    const before = need(
      isId('organization', orgId) ? await organizations.byId(orgId) : undefined,
      'There is no such organization.',
    );
    refuseOtherName(before, verdict);
    const act = actOf(verdictTold(before, verdict), personOf(caller), caller.operation);
    const outcome = refuseDemoted(
      await platform.changeOrganization(before, verdict.change, act, platformActorOf(caller)),
    );
    if (outcome === 'done') return { ...before, ...verdict.change };
    return outcome === 'repeated' ? before : undefined;
  }, 'Others changed this organization at the same moment. Try again.');
}
