import type { StepWork } from '#functions/workflow-runs/step-work.ts';
import type { Step } from '#shared/domain/workflows/workflow.model.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type About = Pick<StepWork<Step>, 'id' | 'execution'>;

/** By which a record remembers that this step was carried out on it. */
export const actOf = (about: About, deps: Deps): string => operationId(callerOf(about, deps).operation, 'request');

/**
 * A step acts as a client does whose idempotency key is the step: each try of it is the same operation, which goes on
 * where an earlier one died. It was asked for when the step was first begun: its ids sort by that.
 */
export function callerOf({ id, execution }: About, { config, organizations }: Deps): Caller {
  const seed = keyedHash(config.hashSecret, 'workflow step', id).toString('hex');
  return {
    orgId: execution.org_id,
    credentialId: execution.id,
    kind: 'workflow',
    scopes: [],
    actorId: null,
    ip: '',
    requestId: id,
    operation: { seed, at: new Date(execution.at_since ?? execution.created_at), resumed: true },
    ticket: undefined,
    setup: () => organizations.setup(execution.org_id),
  };
}
