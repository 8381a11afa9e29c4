import { isDeepStrictEqual } from 'node:util';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { EVENTS_OF_CONNECTIONS } from '#shared/domain/workflows/execution.rules.ts';
import {
  type Definitions,
  type Integration,
  MOST_DEFINITIONS,
  MOST_RULES_OF_AN_EVENT,
  type Step,
  type Template,
  type WorkflowRule,
} from '#shared/domain/workflows/workflow.model.ts';
import { faultInRuleAt, faultsAt } from '#shared/domain/workflows/workflow-fit.rules.ts';
import { loopInWords, loopOf } from '#shared/domain/workflows/workflow-loops.rules.ts';
import { faultsInMentions } from '#shared/domain/workflows/workflow-mentions.rules.ts';
import { type Fault, faultsInSteps, loopsInSteps } from '#shared/domain/workflows/workflow-steps.rules.ts';
import { AppError, invalidFields } from '#shared/kernel/errors.ts';

/** What is saved must fit all else that there is of workflows. */

export function refuseBeyondMost(there: readonly unknown[], what: string): void {
  if (there.length >= MOST_DEFINITIONS)
    throw new AppError(
      'workflow_limit_reached',
      `An organization has at most ${MOST_DEFINITIONS} ${what}. Delete one that is not used.`,
    );
}

/** Those that are off count too, as with loops. One that is there already may stay. */
export function refuseBeyondMostOfAnEvent({ id, event }: WorkflowRule, rules: readonly WorkflowRule[]): void {
  const those = rules.filter((rule) => rule.event === event);
  if (those.length >= MOST_RULES_OF_AN_EVENT && !those.some((rule) => rule.id === id))
    throw new AppError(
      'workflow_limit_reached',
      `At most ${MOST_RULES_OF_AN_EVENT} rules are of one event. Have one of ${event} do more, or delete one.`,
    );
}

/** Whether a change of a rule has it run where it did not: for other events, another template, or again. */
export function runsAnew(before: WorkflowRule, after: WorkflowRule): boolean {
  const isTurnedOn = after.enabled && !before.enabled;
  return (
    isTurnedOn ||
    before.event !== after.event ||
    before.condition !== after.condition ||
    before.template_id !== after.template_id
  );
}

/** Which types of integration a step can go through. */
const THROUGH: Readonly<Partial<Record<Step['type'], readonly Integration['type'][]>>> = {
  http_request: ['http'],
  notify: ['slack', 'email'],
};

export function refuseSteps(steps: readonly Step[], integrations: readonly Integration[]): void {
  const loops = loopsInSteps(steps);
  const faults = [...faultsInSteps(steps), ...faultsOfIntegrations(steps, integrations), ...faultsInMentions(steps)];
  if (loops.length > 0 && faults.length === 0)
    throw new AppError(
      'workflow_loop',
      "The steps come back to where they were. Workflows don't loop; see details.fields.",
      { details: { fields: loops } },
    );
  if (faults.length > 0) throw invalidFields([...faults, ...loops]);
}

function faultsOfIntegrations(steps: readonly Step[], integrations: readonly Integration[]): readonly Fault[] {
  return steps.flatMap((step, n) => {
    if (!('integration_id' in step)) return [];
    const path = `steps.${n}.integration_id`;
    const integration = integrations.find(({ id }) => id === step.integration_id);
    if (!integration) return [{ path, message: 'There is no such integration.' }];
    const types = THROUGH[step.type] ?? [];
    return types.includes(integration.type)
      ? []
      : [
          {
            path,
            message: `Must be an integration of the type ${types.join(' or ')}, and this is one of ${integration.type}.`,
          },
        ];
  });
}

/** A rule whose condition never holds for its events, or whose template never works for them. */
export function refuseMisfit({ event, condition, template_id }: WorkflowRule, templates: readonly Template[]): void {
  const inCondition = condition === null ? undefined : faultInRuleAt(event, condition);
  const inSteps = faultsAt([event], templates.find(({ id }) => id === template_id)?.steps ?? []);
  refuseFaults([
    ...(inCondition === undefined ? [] : [{ path: 'condition', message: inCondition }]),
    ...inSteps.map(asTemplate('template_id')),
  ]);
}

/** And of a connection, which runs it for several events. */
export const refuseMisfitOfConnection = ({ steps }: Template): void =>
  refuseFaults(faultsOfConnection(steps).map(asTemplate('workflow_id')));

export const faultsOfConnection = (steps: readonly Step[]): readonly Fault[] => faultsAt(EVENTS_OF_CONNECTIONS, steps);

/** Steps that never work for those who run them already. */
export function refuseMisfitSteps(
  { id, steps }: Template,
  rules: readonly WorkflowRule[],
  connections: readonly Pick<Connection, 'id' | 'workflow_id'>[],
): void {
  const ofRules = rules
    .filter(({ template_id }) => template_id === id)
    .flatMap((rule) => faultsAt([rule.event], steps).map(ranBy(`The rule "${rule.name}" (${rule.id})`)));
  const ofConnections = connections
    .filter(({ workflow_id }) => workflow_id === id)
    .flatMap((connection) => faultsOfConnection(steps).map(ranBy(`The connection ${connection.id}`)));
  refuseFaults([...ofRules, ...ofConnections]);
}

const asTemplate = (path: string) => (fault: Fault) => ({ path, message: fault.message });
const ranBy =
  (who: string) =>
  ({ path, message }: Fault): Fault => ({ path, message: `${message} ${who} runs this template.` });

function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw invalidFields([...faults]);
}

export const saysTheSame = (one: Template, other: Template): boolean =>
  one.name === other.name && isDeepStrictEqual(one.steps, other.steps);

/** Rules that would set each other off, with this template or rule among them. */
export function refuseLoops(definitions: Pick<Definitions, 'rules' | 'templates'>): void {
  const loop = loopOf(definitions);
  if (loop) throw new AppError('workflow_loop', loopInWords(loop), { details: { rules: loop.map(({ id }) => id) } });
}

/** With the new one, or the changed one in its place. */
export const withRecord = <T extends { readonly id: string }>(records: readonly T[], record: T): readonly T[] => [
  ...records.filter(({ id }) => id !== record.id),
  record,
];

export function refuseUsedIntegration(id: string, templates: readonly Template[]): void {
  const user = templates.find(({ steps }) =>
    steps.some((step) => 'integration_id' in step && step.integration_id === id),
  );
  if (user)
    throw new AppError(
      'workflow_integration_in_use',
      `The template "${user.name}" (${user.id}) uses ${id}. Change its steps first.`,
    );
}

export function refuseUsedTemplate(
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
  const message = `${users.length === 1 ? `The connection ${users[0]} runs` : `${users.length} connections run`} ${id}. Set workflow_id to another template there, or to null.`;
  throw new AppError('workflow_template_in_use', message, { details: { connections: users } });
}
