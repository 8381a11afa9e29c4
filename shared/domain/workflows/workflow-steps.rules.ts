import type { Step } from '#shared/domain/workflows/workflow.model.ts';

/** A fault in a template's steps. `path`: the field of the request body. */
export type Fault = { readonly path: string; readonly message: string };

/** The ids of the steps that may come next; null is the end. */
export function nextStepsOf(step: Step, steps: readonly Step[]): readonly (string | null)[] {
  return step.type === 'condition'
    ? [branchOf(step, true, steps), branchOf(step, false, steps)]
    : [nextOf(step, steps)];
}

/** The id of the step after this one. */
export const nextOf = (step: Exclude<Step, { type: 'condition' }>, steps: readonly Step[]): string | null =>
  step.next === undefined ? stepAfter(step, steps) : step.next;

/** The step after a condition: by default the next one if it is true, and the end if it is false. */
export function branchOf(
  step: Extract<Step, { type: 'condition' }>,
  holds: boolean,
  steps: readonly Step[],
): string | null {
  if (holds) return step.then === undefined ? stepAfter(step, steps) : step.then;
  return step.else ?? null;
}

const stepAfter = (step: Step, steps: readonly Step[]): string | null =>
  steps[steps.findIndex(({ id }) => id === step.id) + 1]?.id ?? null;

/** Faults beyond the shape of a template: duplicate or unknown ids, unreachable steps. */
export function faultsInSteps(steps: readonly Step[]): readonly Fault[] {
  const faults = faultsInNames(steps);
  return faults.length > 0 ? faults : unreachableSteps(steps);
}

export const faultsInNames = (steps: readonly Step[]): readonly Fault[] => [
  ...duplicateIds(steps),
  ...unknownIds(steps),
];

function duplicateIds(steps: readonly Step[]): Fault[] {
  return steps.flatMap(({ id }, n) =>
    steps.findIndex((other) => other.id === id) < n
      ? [{ path: `steps.${n}.id`, message: `Another step has the id ${id}.` }]
      : [],
  );
}

function unknownIds(steps: readonly Step[]): Fault[] {
  const ids: ReadonlySet<string | null | undefined> = new Set([...steps.map(({ id }) => id), null, undefined]);
  return steps.flatMap((step, n) => {
    const targets =
      step.type === 'condition'
        ? ([
            ['then', step.then],
            ['else', step.else],
          ] as const)
        : ([['next', step.next]] as const);
    return targets.flatMap(([field, id]) =>
      ids.has(id) ? [] : [{ path: `steps.${n}.${field}`, message: `There is no step ${id}.` }],
    );
  });
}

/** Steps that lead back to themselves. Empty while ids are duplicate or unknown: those are reported first. */
export function loopsInSteps(steps: readonly Step[]): readonly Fault[] {
  if (faultsInNames(steps).length > 0) return [];
  return steps.flatMap((step, n) =>
    stepsAfter(step, steps).has(step.id)
      ? [{ path: `steps.${n}`, message: `The step ${step.id} leads back to itself. Workflows must not loop.` }]
      : [],
  );
}

function unreachableSteps(steps: readonly Step[]): Fault[] {
  const reached = reachableFrom([steps[0]?.id ?? null], steps);
  return steps.flatMap(({ id }, n) =>
    reached.has(id) ? [] : [{ path: `steps.${n}`, message: `No step leads to ${id}.` }],
  );
}

/** The ids of all steps that can come after a step. */
export const stepsAfter = (step: Step, steps: readonly Step[]): ReadonlySet<string> =>
  reachableFrom(nextStepsOf(step, steps), steps);

function reachableFrom(ids: readonly (string | null)[], steps: readonly Step[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const queue = [...ids];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (id === null || reached.has(id)) continue;
    reached.add(id);
    const step = steps.find((each) => each.id === id);
    if (step) queue.push(...nextStepsOf(step, steps));
  }
  return reached;
}
