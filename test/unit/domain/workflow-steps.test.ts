import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Step } from '#shared/domain/workflow.model.ts';
import { branchOf, faultsInSteps, followersOf, loopsInSteps, nextOf } from '#shared/domain/workflow-steps.rules.ts';

type Next = string | null | undefined;
const act = (id: string, next?: Next): Exclude<Step, { type: 'condition' }> => ({ id, type: 'cancel_payment', ...(next !== undefined && { next }) });
const decide = (id: string, then?: Next, otherwise?: Next): Extract<Step, { type: 'condition' }> => ({
  id,
  type: 'condition',
  if: 'true',
  ...(then !== undefined && { then }),
  ...(otherwise !== undefined && { else: otherwise }),
});

describe('the way through the steps', () => {
  const [a, b, c] = [act('a'), decide('b'), act('c')];
  const steps = [a, b, c];
  it('leads to the one that stands next, and after the last to the end', () => {
    expect([nextOf(a, steps), nextOf(c, steps)]).toEqual(['b', null]);
  });
  it('leads where a step says, or to the end where that is null', () => {
    expect([nextOf(act('a', 'c'), steps), nextOf(act('a', null), steps)]).toEqual(['c', null]);
  });
  it('leads on where a condition holds, and to the end where it does not', () => {
    expect([branchOf(b, true, steps), branchOf(b, false, steps)]).toEqual(['c', null]);
    expect([branchOf(decide('b', null, 'c'), true, steps), branchOf(decide('b', null, 'c'), false, steps)]).toEqual([null, 'c']);
    expect(branchOf(decide('c'), true, [a, decide('c')])).toBeNull();
  });
});

const paths = (steps: readonly Step[]) => faultsInSteps(steps).map(({ path }) => path);
const loops = (steps: readonly Step[]) => loopsInSteps(steps).map(({ path }) => path);

describe('faults in steps', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ['none in a row', [act('a'), act('b')], []],
    ['none where two ways meet again', [decide('a', 'b', 'c'), act('b', 'd'), act('c'), act('d')], []],
    ['a name that means two', [act('a'), act('a')], ['steps.1.id']],
    ['a name that means none', [act('a', 'x'), decide('b', 'y', 'z')], ['steps.0.next', 'steps.1.then', 'steps.1.else']],
    ['a step behind the end', [act('a', null), act('b')], ['steps.1']],
    ['steps that only each other lead to', [act('a', null), act('b'), act('c', 'b')], ['steps.1', 'steps.2']],
    ['what is skipped', [act('a', 'c'), act('b'), act('c')], ['steps.1']],
    ['names like those of objects', [act('constructor', 'toString')], ['steps.0.next']],
  ])('are %s', (_, steps, found) => expect(paths(steps)).toEqual(found));

  it.each<[string, readonly Step[], readonly string[]]>([
    ['none in a row', [act('a'), act('b')], []],
    ['itself', [act('a', 'a')], ['steps.0']],
    ['a circle, and not what leads to it', [act('a'), act('b'), act('c', 'b')], ['steps.1', 'steps.2']],
    ['one that a condition can leave', [act('a'), decide('b', 'a', null)], ['steps.0', 'steps.1']],
    ['none that can be told, where names are wrong', [act('a', 'a'), act('b', 'x')], []],
  ])('are ways back: %s', (_, steps, found) => expect(loops(steps)).toEqual(found));
});

it('lets only steps pass that come to an end, whichever way is taken', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const to = fc.option(fc.constantFrom<Next>(...ids, null), { nil: undefined });
  const step = (id: string) =>
    fc.oneof(
      to.map((next): Step => act(id, next)),
      fc.tuple(to, to).map(([then, otherwise]): Step => decide(id, then, otherwise)),
    );
  const anySteps = fc.tuple(...ids.map(step));
  fc.assert(
    fc.property(anySteps, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (steps, choices) => {
      fc.pre(faultsInSteps(steps).length === 0 && loopsInSteps(steps).length === 0);
      let at: string | null = 'a';
      for (const choice of choices) {
        const here = steps.find(({ id }) => id === at);
        if (here) at = followersOf(here, steps)[choice ? 0 : followersOf(here, steps).length - 1] ?? null;
      }
      expect(at).toBeNull();
    }),
    { numRuns: 300, maxSkipsPerRun: 1_000 },
  );
});
