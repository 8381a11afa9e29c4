import type { Step } from '#shared/domain/workflows/workflow.model.ts';

/** A fault of a template's steps, by the path in what was sent. */
export type Fault = { readonly path: string; readonly message: string };

/** The steps that may follow; null is the end. */
export function followersOf(step: Step, steps: readonly Step[]): readonly (string | null)[] {
  return step.type === 'condition'
    ? [branchOf(step, true, steps), branchOf(step, false, steps)]
    : [nextOf(step, steps)];
}

/** Where it goes on after this step. */
export const nextOf = (step: Exclude<Step, { type: 'condition' }>, steps: readonly Step[]): string | null =>
  step.next === undefined ? standingAfter(step, steps) : step.next;

/** Where a condition leads: on where it holds, to the end where it does not, unless it says otherwise. */
export function branchOf(
  step: Extract<Step, { type: 'condition' }>,
  holds: boolean,
  steps: readonly Step[],
): string | null {
  if (holds) return step.then === undefined ? standingAfter(step, steps) : step.then;
  return step.else ?? null;
}

const standingAfter = (step: Step, steps: readonly Step[]): string | null =>
  steps[steps.findIndex(({ id }) => id === step.id) + 1]?.id ?? null;

/** What the shape of a template can't tell: names that mean two steps or none, steps that no way leads to. */
export function faultsInSteps(steps: readonly Step[]): readonly Fault[] {
  const named = faultsInNames(steps);
  return named.length > 0 ? named : unreached(steps);
}

export const faultsInNames = (steps: readonly Step[]): readonly Fault[] => [...doubled(steps), ...misnamed(steps)];

function doubled(steps: readonly Step[]): Fault[] {
  return steps.flatMap(({ id }, n) =>
    steps.findIndex((other) => other.id === id) < n
      ? [{ path: `steps.${n}.id`, message: `Another step is called ${id}.` }]
      : [],
  );
}

function misnamed(steps: readonly Step[]): Fault[] {
  const ids: ReadonlySet<string | null | undefined> = new Set([...steps.map(({ id }) => id), null, undefined]);
  return steps.flatMap((step, n) => {
    const named =
      step.type === 'condition'
        ? ([
            ['then', step.then],
            ['else', step.else],
          ] as const)
        : ([['next', step.next]] as const);
    return named.flatMap(([field, id]) =>
      ids.has(id) ? [] : [{ path: `steps.${n}.${field}`, message: `There is no step ${id}.` }],
    );
  });
}

/** Ways that come back. Where names mean two steps or none, there is no telling. */
export function loopsInSteps(steps: readonly Step[]): readonly Fault[] {
  if (faultsInNames(steps).length > 0) return [];
  return steps.flatMap((step, n) =>
    stepsAfter(step, steps).has(step.id)
      ? [{ path: `steps.${n}`, message: `A way leads from ${step.id} back to it. Workflows don't loop.` }]
      : [],
  );
}

function unreached(steps: readonly Step[]): Fault[] {
  const reached = reachedFrom([steps[0]?.id ?? null], steps);
  return steps.flatMap(({ id }, n) =>
    reached.has(id) ? [] : [{ path: `steps.${n}`, message: `No way leads to ${id}.` }],
  );
}

/** Those that some way leads to from a step. */
export const stepsAfter = (step: Step, steps: readonly Step[]): ReadonlySet<string> =>
  reachedFrom(followersOf(step, steps), steps);

function reachedFrom(ids: readonly (string | null)[], steps: readonly Step[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const ahead = [...ids];
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    if (id === null || reached.has(id)) continue;
    reached.add(id);
    const step = steps.find((each) => each.id === id);
    if (step) ahead.push(...followersOf(step, steps));
  }
  return reached;
}
