import type { Scope } from '#shared/domain/reference/scopes.catalog.ts';
import type { Step, StepType } from '#shared/domain/workflows/workflow.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** What the API asks for, for what a step does. */
const SCOPE_OF: Readonly<Partial<Record<StepType, Scope>>> = {
  tag_payment: 'payments:write',
  cancel_payment: 'payments:write',
  refund_payment: 'payments:write',
  pause_subscription: 'subscriptions:write',
};

type Asking = { readonly scopes: readonly string[]; readonly person?: unknown };

/** Steps act for nobody in particular: whoever sees to it that they run must be allowed to do what they do. */
export function refuseForeignSteps(steps: readonly Step[], { scopes, person }: Asking): void {
  for (const { id, type } of steps) {
    const scope = SCOPE_OF[type];
    if (scope === undefined || scopes.includes(scope)) continue;
    throw new AppError(
      'missing_scope',
      `This ${person ? 'role' : 'key'} lacks the scope ${scope}, which the step ${id} (${type}) takes.`,
    );
  }
}
