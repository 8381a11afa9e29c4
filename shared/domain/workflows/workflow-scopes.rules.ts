import type { Scope } from '#shared/domain/reference/access.catalog.ts';
import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import { pathsInExpression, pathsInText } from '#shared/domain/workflows/expression.rules.ts';
import type { NamePath } from '#shared/domain/workflows/expression-limits.rules.ts';
import type { Step, StepType } from '#shared/domain/workflows/workflow.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** The scope that the API requires for what a step does. */
const SCOPE_OF: Readonly<Partial<Record<StepType, Scope>>> = {
  tag_payment: 'payments:write',
  cancel_payment: 'payments:write',
  capture_payment: 'payments:write',
  refund_payment: 'payments:write',
  pause_subscription: 'subscriptions:write',
};

type Requester = { readonly scopes: readonly string[]; readonly person?: unknown };

/** Steps run without a caller, so whoever saves or starts them needs the scopes for what they do. */
export function assertStepScopes(steps: readonly Step[], requester: Requester): void {
  for (const { id, type } of steps) {
    const scope = SCOPE_OF[type];
    if (scope !== undefined) assertScope(scope, `which the step ${id} (${type}) requires`, requester);
  }
}

/** The scope that the API requires to read what an event's data shows; a test event shows nothing. */
const READ_SCOPE_OF = {
  payment: 'payments:read',
  subscription: 'subscriptions:read',
  invoice: 'invoices:read',
  payment_link: 'payments:read',
  dispute: 'payments:read',
  service: undefined,
} as const satisfies Readonly<Record<string, Scope | undefined>>;

export function readScopeOf(event: EventType): Scope | undefined {
  const [resource] = event.split('.') as [keyof typeof READ_SCOPE_OF];
  return READ_SCOPE_OF[resource];
}

/**
 * Whoever saves or starts steps that pass on an event's data, or decide by it, needs the scope to read it: otherwise a
 * workflow would show what its caller may not read.
 */
export function assertReadScopes(events: readonly EventType[], steps: readonly Step[], requester: Requester): void {
  const reader = steps.find(readsData);
  if (!reader) return;
  for (const event of events)
    assertReadScope(event, `which the step ${reader.id} (${reader.type}) requires`, requester);
}

/** As above, for the condition of a rule. */
export function assertConditionScope(event: EventType, condition: string | null, requester: Requester): void {
  if (condition !== null && isAboutData(condition))
    assertReadScope(event, "which the rule's condition requires", requester);
}

function assertReadScope(event: EventType, why: string, requester: Requester): void {
  const scope = readScopeOf(event);
  if (scope !== undefined) assertScope(scope, `${why} to read ${event} events`, requester);
}

function assertScope(scope: Scope, why: string, { scopes, person }: Requester): void {
  if (!scopes.includes(scope))
    throw new AppError('missing_scope', `This ${person ? 'role' : 'key'} lacks the scope ${scope}, ${why}.`);
}

/** A request or a notification tells its recipient about the event, whatever its text says. */
function readsData(step: Step): boolean {
  switch (step.type) {
    case 'http_request':
    case 'notify':
      return true;
    case 'condition':
      return isAboutData(step.if);
    default:
      return hasData(step);
  }
}

function isAboutData(expression: string): boolean {
  const { paths, tested } = pathsInExpression(expression);
  return [...paths, ...tested].some(isData);
}

/** The value's depth was limited when it was saved. */
function hasData(value: unknown): boolean {
  if (typeof value === 'string') return pathsInText(value).some(({ expression }) => isAboutData(expression));
  return typeof value === 'object' && value !== null && Object.values(value).some(hasData);
}

const isData = ([root]: NamePath): boolean => root === 'data';
