import type { Scope } from '#shared/domain/reference/access.catalog.ts';
import type { Step, StepType } from '#shared/domain/workflows/workflow.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** The scope that the API requires for what a step does. */
const SCOPE_OF: Readonly<Partial<Record<StepType, Scope>>> = {
  tag_payment: 'payments:write',
  cancel_payment: 'payments:write',
  refund_payment: 'payments:write',
  pause_subscription: 'subscriptions:write',
};

type Requester = { readonly scopes: readonly string[]; readonly person?: unknown };

/** Steps run without a caller, so whoever saves or starts them needs the scopes for what they do. */
export function assertStepScopes(steps: readonly Step[], { scopes, person }: Requester): void {
  for (const { id, type } of steps) {
    const scope = SCOPE_OF[type];
    if (scope === undefined || scopes.includes(scope)) continue;
    throw new AppError(
      'missing_scope',
      `This ${person ? 'role' : 'key'} lacks the scope ${scope}, which the step ${id} (${type}) requires.`,
    );
  }
}
