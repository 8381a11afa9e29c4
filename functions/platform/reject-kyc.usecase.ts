import { type DecideNeeds, decide } from '#functions/platform/decide.ts';
import type { Caller } from '#shared/ports/caller.ts';

type Input = { readonly org_id: string; readonly reason: string };

/** Withdraws an approval too. */
export const rejectKyc = ({ org_id, reason }: Input, caller: Caller, deps: DecideNeeds) =>
  decide(org_id, { action: 'kyc_rejected', change: { kyc: 'rejected' }, reason }, caller, deps);
