import { type DecideNeeds, decide } from '#functions/platform/decide.ts';
import type { ApproveKycInput } from '#functions/platform/platform.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';

/**
 * Without a name in the request the present legal name is approved, if there is one: people are approved right after
 * sign-up.
 */
export const approveKyc = ({ org_id, legal_name }: ApproveKycInput, caller: Caller, deps: DecideNeeds) =>
  decide(
    org_id,
    { action: 'kyc_approved', change: { kyc: 'approved' }, reason: null, lookedAt: legal_name },
    caller,
    deps,
  );
