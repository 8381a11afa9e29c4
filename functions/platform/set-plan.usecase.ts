import { type DecideNeeds, decide } from '#functions/platform/decide.ts';
import type { SetPlanInput } from '#functions/platform/platform.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';

export const setPlan = ({ id, plan }: SetPlanInput & { readonly id: string }, caller: Caller, deps: DecideNeeds) =>
  decide(id, { action: 'plan_changed', change: { plan } }, caller, deps);
