import type { StepContext } from '#functions/workflow-runs/step-context.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import type { Step } from '#shared/domain/workflows/workflow.model.ts';
import { FIRST_HASH_VERSION } from '#shared/kernel/hash-versions.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'config' | 'organizations'>;

type StepRef = Pick<StepContext<Step>, 'id' | 'execution'>;

/**
 * The secret that was current when the execution began: a step that is tried again must not become another operation,
 * as that would refund twice.
 */
export function secretOf(
  { hash_version = FIRST_HASH_VERSION }: Pick<Execution, 'hash_version'>,
  { hashSecret, rotations }: Deps['config'],
): string {
  const { version = FIRST_HASH_VERSION, others = [] } = rotations?.hashSecret ?? {};
  if (hash_version === version) return hashSecret;
  const found = others.find((other) => other.version === hash_version);
  if (!found) throw new Error(`This execution needs version ${hash_version} of hashSecret. List it as a former one.`);
  return found.secret;
}

/** The idempotency marker by which a record knows that this step was applied to it. */
export const stepMarker = (about: StepRef, deps: Needs): string =>
  operationId(callerOf(about, deps).operation, 'request');

/**
 * A step acts like a client whose idempotency key is the step: every attempt is the same operation, and continues where
 * an earlier one crashed. The operation's time, which its ids sort by, is when the step first started.
 */
export function callerOf({ id, execution }: StepRef, { config, organizations }: Needs): Caller {
  const seed = keyedHash(secretOf(execution, config), 'workflow step', id).toString('hex');
  return {
    orgId: execution.org_id,
    credentialId: execution.id,
    kind: 'workflow',
    scopes: [],
    actorId: null,
    ip: '',
    requestId: id,
    operation: { seed, at: new Date(execution.at_since ?? execution.created_at), resumed: true },
    idempotencyRequest: undefined,
    routingData: () => organizations.routingData(execution.org_id),
  };
}
