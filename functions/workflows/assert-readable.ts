import { CONNECTION_EVENTS, type EventType } from '#shared/domain/reference/events.catalog.ts';
import type { Template, WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';
import { assertReadScopes } from '#shared/domain/workflows/workflow-scopes.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'organizations'>;

/**
 * A change of what running templates send, or of where to, needs the scopes to read the events that start them. Connections
 * are read only for callers who may not read payments.
 */
export async function assertReadable(
  templates: readonly Template[],
  rules: readonly WorkflowRule[],
  caller: Caller,
  deps: Needs,
): Promise<void> {
  if (templates.length === 0) return;
  const run = await templatesOfConnections(caller, deps);
  for (const { id, steps } of templates) {
    const byRules = rules.filter(({ enabled, template_id }) => enabled && template_id === id);
    const events: readonly EventType[] = [
      ...byRules.map(({ event }) => event),
      ...(run.has(id) ? CONNECTION_EVENTS : []),
    ];
    assertReadScopes(events, steps, caller);
  }
}

async function templatesOfConnections(
  { orgId, scopes }: Caller,
  { organizations }: Needs,
): Promise<ReadonlySet<string | null | undefined>> {
  if (scopes.includes('payments:read')) return new Set();
  return new Set((await organizations.routingData(orgId)).connections.map(({ workflow_id }) => workflow_id));
}
