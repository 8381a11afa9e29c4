import { isDeepStrictEqual } from 'node:util';
import { CONNECTION_EVENTS } from '#shared/domain/reference/events.catalog.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import {
  type Definitions,
  type Integration,
  MAX_DEFINITIONS,
  MAX_RULES_PER_EVENT,
  type Step,
  type Template,
  type WorkflowRule,
} from '#shared/domain/workflows/workflow.model.ts';
import { faultInRuleAt, faultsAt } from '#shared/domain/workflows/workflow-fit.rules.ts';
import { describeLoop, loopOf } from '#shared/domain/workflows/workflow-loops.rules.ts';
import { faultsInReferences } from '#shared/domain/workflows/workflow-mentions.rules.ts';
import { type Fault, faultsInSteps, loopsInSteps } from '#shared/domain/workflows/workflow-steps.rules.ts';
import { AppError, invalidFields } from '#shared/kernel/errors.ts';

/** A saved definition must fit all other definitions of the organization. */

export function assertBelowLimit(there: readonly unknown[], what: string): void {
  if (there.length >= MAX_DEFINITIONS)
    throw new AppError(
      'workflow_limit_reached',
      `An organization can have at most ${MAX_DEFINITIONS} ${what}. Delete one that is no longer used.`,
    );
}

/** Disabled rules count too, as with loops. An existing rule can be saved again. */
export function assertRulesPerEvent({ id, event }: WorkflowRule, rules: readonly WorkflowRule[]): void {
  const those = rules.filter((rule) => rule.event === event);
  if (those.length >= MAX_RULES_PER_EVENT && !those.some((rule) => rule.id === id))
    throw new AppError(
      'workflow_limit_reached',
      `At most ${MAX_RULES_PER_EVENT} rules can have the event ${event}. Extend one of them, or delete one.`,
    );
}

/** Whether a change makes a rule run for other events, run another template, or run again. */
export function startsNewRuns(before: WorkflowRule, after: WorkflowRule): boolean {
  const isTurnedOn = after.enabled && !before.enabled;
  return (
    isTurnedOn ||
    before.event !== after.event ||
    before.condition !== after.condition ||
    before.template_id !== after.template_id
  );
}

/** The types of integration that a step can use. */
const INTEGRATIONS_OF_STEP: Readonly<Partial<Record<Step['type'], readonly Integration['type'][]>>> = {
  http_request: ['http'],
  notify: ['slack', 'email'],
};

export function assertSteps(steps: readonly Step[], integrations: readonly Integration[]): void {
  const loops = loopsInSteps(steps);
  const faults = [...faultsInSteps(steps), ...faultsOfIntegrations(steps, integrations), ...faultsInReferences(steps)];
  if (loops.length > 0 && faults.length === 0)
    throw new AppError('workflow_loop', 'The steps form a loop, which is not allowed. See details.fields.', {
      details: { fields: loops },
    });
  if (faults.length > 0) throw invalidFields([...faults, ...loops]);
}

function faultsOfIntegrations(steps: readonly Step[], integrations: readonly Integration[]): readonly Fault[] {
  return steps.flatMap((step, n) => {
    if (!('integration_id' in step)) return [];
    const path = `steps.${n}.integration_id`;
    const integration = integrations.find(({ id }) => id === step.integration_id);
    if (!integration) return [{ path, message: 'There is no such integration.' }];
    const types = INTEGRATIONS_OF_STEP[step.type] ?? [];
    return types.includes(integration.type)
      ? []
      : [
          {
            path,
            message:
              `Must be an integration of the type ${types.join(' or ')}, but ${integration.id} has the type ` +
              `${integration.type}.`,
          },
        ];
  });
}

/** Throws for a rule whose condition is never true for its events, or whose template cannot succeed for them. */
export function assertFits({ event, condition, template_id }: WorkflowRule, templates: readonly Template[]): void {
  const inCondition = condition === null ? undefined : faultInRuleAt(event, condition);
  const inSteps = faultsAt([event], templates.find(({ id }) => id === template_id)?.steps ?? []);
  assertNoFaults([
    ...(inCondition === undefined ? [] : [{ path: 'condition', message: inCondition }]),
    ...inSteps.map(atPath('template_id')),
  ]);
}

/** As above, for a connection's workflow, which several events start. */
export const assertFitsConnection = ({ steps }: Template): void =>
  assertNoFaults(faultsOfConnection(steps).map(atPath('workflow_id')));

export const faultsOfConnection = (steps: readonly Step[]): readonly Fault[] => faultsAt(CONNECTION_EVENTS, steps);

/** Throws if a rule or a connection that runs the template starts it for events for which a step cannot succeed. */
export function assertStepsFit(
  { id, steps }: Template,
  rules: readonly WorkflowRule[],
  connections: readonly Pick<Connection, 'id' | 'workflow_id'>[],
): void {
  const ofRules = rules
    .filter(({ template_id }) => template_id === id)
    .flatMap((rule) => faultsAt([rule.event], steps).map(usedBy(`The rule "${rule.name}" (${rule.id})`)));
  const ofConnections = connections
    .filter(({ workflow_id }) => workflow_id === id)
    .flatMap((connection) => faultsOfConnection(steps).map(usedBy(`The connection ${connection.id}`)));
  assertNoFaults([...ofRules, ...ofConnections]);
}

const atPath = (path: string) => (fault: Fault) => ({ path, message: fault.message });
const usedBy =
  (who: string) =>
  ({ path, message }: Fault): Fault => ({ path, message: `${message} ${who} runs this template.` });

function assertNoFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw invalidFields([...faults]);
}

export const isSameTemplate = (one: Template, other: Template): boolean =>
  one.name === other.name && isDeepStrictEqual(one.steps, other.steps);

/** Throws if rules would start each other without end. */
export function assertNoLoops(definitions: Pick<Definitions, 'rules' | 'templates'>): void {
  const loop = loopOf(definitions);
  if (loop) throw new AppError('workflow_loop', describeLoop(loop), { details: { rules: loop.map(({ id }) => id) } });
}

/** The records with this one added or replaced. */
export const withRecord = <T extends { readonly id: string }>(records: readonly T[], record: T): readonly T[] => [
  ...records.filter(({ id }) => id !== record.id),
  record,
];

export const templatesUsing = (integrationId: string, templates: readonly Template[]): readonly Template[] =>
  templates.filter(({ steps }) =>
    steps.some((step) => 'integration_id' in step && step.integration_id === integrationId),
  );

export function assertIntegrationUnused(id: string, templates: readonly Template[]): void {
  const [user] = templatesUsing(id, templates);
  if (user)
    throw new AppError(
      'workflow_integration_in_use',
      `The template "${user.name}" (${user.id}) uses ${id}. Change its steps first.`,
    );
}

export function assertTemplateUnused(
  id: string,
  rules: readonly WorkflowRule[],
  connections: readonly Pick<Connection, 'id' | 'workflow_id'>[],
): void {
  const rule = rules.find(({ template_id }) => template_id === id);
  if (rule)
    throw new AppError(
      'workflow_template_in_use',
      `The rule "${rule.name}" (${rule.id}) runs ${id}. Delete the rule first, or give it another template.`,
    );
  const users = connections.filter(({ workflow_id }) => workflow_id === id).map((each) => each.id);
  if (users.length === 0) return;
  const message =
    `${users.length === 1 ? `The connection ${users[0]} runs` : `${users.length} connections run`} ${id}. Set ` +
    'workflow_id to another template there, or to null.';
  throw new AppError('workflow_template_in_use', message, { details: { connections: users } });
}
