import { assertReadable } from '#functions/workflows/assert-readable.ts';
import { changeDefinitions, deleteDefinition } from '#functions/workflows/change-definitions.ts';
import { MISSING, templateIn } from '#functions/workflows/templates/get-templates.usecase.ts';
import type { CreateTemplateInput, UpdateTemplateInput } from '#functions/workflows/templates/templates.schema.ts';
import type { Definitions, Template } from '#shared/domain/workflows/workflow.model.ts';
import {
  assertBelowLimit,
  assertNoLoops,
  assertSteps,
  assertStepsFit,
  assertTemplateUnused,
  faultsOfConnection,
  isSameTemplate,
  withRecord,
} from '#shared/domain/workflows/workflow-definitions.rules.ts';
import { assertStepScopes } from '#shared/domain/workflows/workflow-scopes.rules.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * The caller needs the scopes of the steps. A retry of the same operation finds the template that it created. No rule
 * uses the template yet, so it cannot close a loop.
 */
export async function createTemplate(
  { name, steps }: CreateTemplateInput,
  caller: Caller,
  deps: Pick<Deps, 'workflows'>,
) {
  const { orgId, operation } = caller;
  const [id, at] = [operationId(operation, 'template'), operation.at.toISOString()];
  const created: Template = { id, org_id: orgId, name, steps, version: 1, created_at: at, updated_at: at };
  const template = await changeDefinitions<Template>(
    orgId,
    ({ templates, integrations }) => {
      const existing = templates.find((each) => each.id === id);
      if (existing) return { result: existing };
      assertStepScopes(created.steps, caller);
      assertBelowLimit(templates, 'workflow templates');
      assertSteps(created.steps, integrations);
      return { result: created, change: { kind: 'template', save: created } };
    },
    deps,
  );
  return template;
}

type Needs = Pick<Deps, 'workflows' | 'organizations' | 'clock'>;

/**
 * Fields that are not sent stay. A change that changes nothing, such as a retry after a crash, makes no new version.
 */
export function updateTemplate(
  { id, ...input }: UpdateTemplateInput & { readonly id: string },
  caller: Caller,
  deps: Needs,
): Promise<Template> {
  return changeDefinitions<Template>(
    caller.orgId,
    async ({ templates, integrations, rules }) => {
      const before = templateIn(templates, id);
      const changed: Template = { ...before, ...input };
      if (isSameTemplate(changed, before)) return { result: before };
      const after: Template = { ...changed, version: before.version + 1, updated_at: deps.clock.now().toISOString() };
      if (input.steps) {
        assertStepScopes(after.steps, caller);
        await assertReadable([after], rules, caller, deps);
        assertSteps(after.steps, integrations);
        assertStepsFit(after, rules, await runningConnections(after, caller, deps));
      }
      assertNoLoops({ rules, templates: withRecord(templates, after) });
      return { result: after, change: { kind: 'template', save: after } };
    },
    deps,
  );
}

/** The connections that run this template. They are not read if the steps fit every connection. */
async function runningConnections({ id, steps }: Template, { orgId }: Caller, { organizations }: Needs) {
  if (faultsOfConnection(steps).length === 0) return [];
  return (await organizations.routingData(orgId)).connections.filter(({ workflow_id }) => workflow_id === id);
}

/**
 * Refused while a rule or a connection uses the template. Connections are read after the definitions: saving a
 * connection with a `workflow_id` changes the definitions too, so none is missed. Running executions keep their
 * version.
 */
export function deleteTemplate(
  { id }: { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'workflows' | 'organizations'>,
) {
  const assertUnused = async ({ rules }: Definitions) =>
    assertTemplateUnused(id, rules, (await deps.organizations.routingData(caller.orgId)).connections);
  return deleteDefinition(
    id,
    { kind: 'template', idKind: 'template', listIn: ({ templates }) => templates, missing: MISSING, assertUnused },
    caller,
    deps,
  );
}
