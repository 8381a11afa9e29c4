import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Step } from '#shared/domain/workflows/workflow.model.ts';
import { faultsInReferences } from '#shared/domain/workflows/workflow-mentions.rules.ts';
import {
  branchOf,
  faultsInSteps,
  loopsInSteps,
  nextOf,
  nextStepsOf,
} from '#shared/domain/workflows/workflow-steps.rules.ts';

type Next = string | null | undefined;
const act = (id: string, next?: Next): Exclude<Step, { type: 'condition' }> => ({
  id,
  type: 'cancel_payment',
  ...(next !== undefined && { next }),
});
const decide = (id: string, then?: Next, otherwise?: Next): Extract<Step, { type: 'condition' }> => ({
  id,
  type: 'condition',
  if: 'true',
  ...(then !== undefined && { then }),
  ...(otherwise !== undefined && { else: otherwise }),
});

describe('the order of steps', () => {
  const [a, b, c] = [act('a'), decide('b'), act('c')];
  const steps = [a, b, c];
  it('leads to the next one by default, and from the last to the end', () => {
    expect([nextOf(a, steps), nextOf(c, steps)]).toEqual(['b', null]);
  });
  it('follows next, and ends where it is null', () => {
    expect([nextOf(act('a', 'c'), steps), nextOf(act('a', null), steps)]).toEqual(['c', null]);
  });
  it('follows then and else of a condition, with the next step and the end as defaults', () => {
    expect([branchOf(b, true, steps), branchOf(b, false, steps)]).toEqual(['c', null]);
    expect([branchOf(decide('b', null, 'c'), true, steps), branchOf(decide('b', null, 'c'), false, steps)]).toEqual([
      null,
      'c',
    ]);
    expect(branchOf(decide('c'), true, [a, decide('c')])).toBeNull();
  });
});

const paths = (steps: readonly Step[]) => faultsInSteps(steps).map(({ path }) => path);
const loops = (steps: readonly Step[]) => loopsInSteps(steps).map(({ path }) => path);

describe('faults in steps', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ['none in a sequence', [act('a'), act('b')], []],
    ['none where two branches meet again', [decide('a', 'b', 'c'), act('b', 'd'), act('c'), act('d')], []],
    ['a duplicate id', [act('a'), act('a')], ['steps.1.id']],
    ['an unknown id', [act('a', 'x'), decide('b', 'y', 'z')], ['steps.0.next', 'steps.1.then', 'steps.1.else']],
    ['a step after the end', [act('a', null), act('b')], ['steps.1']],
    ['steps that only lead to each other', [act('a', null), act('b'), act('c', 'b')], ['steps.1', 'steps.2']],
    ['a skipped step', [act('a', 'c'), act('b'), act('c')], ['steps.1']],
    ['ids that are names of object properties', [act('constructor', 'toString')], ['steps.0.next']],
  ])('are found: %s', (_, steps, found) => expect(paths(steps)).toEqual(found));

  it.each<[string, readonly Step[], readonly string[]]>([
    ['none in a sequence', [act('a'), act('b')], []],
    ['a step that leads to itself', [act('a', 'a')], ['steps.0']],
    ['a loop, without the steps before it', [act('a'), act('b'), act('c', 'b')], ['steps.1', 'steps.2']],
    ['a loop that a condition can leave', [act('a'), decide('b', 'a', null)], ['steps.0', 'steps.1']],
    ['none when ids are wrong', [act('a', 'a'), act('b', 'x')], []],
  ])('are loops: %s', (_, steps, found) => expect(loops(steps)).toEqual(found));
});

const ids = ['a', 'b', 'c', 'd'];
const to = fc.option(fc.constantFrom<Next>(...ids, null), { nil: undefined });
const anyStep = (id: string) =>
  fc.oneof(
    to.map((next): Step => act(id, next)),
    fc.tuple(to, to).map(([then, otherwise]): Step => decide(id, then, otherwise)),
  );
const anySteps = fc.tuple(...ids.map(anyStep));
const anyChoices = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 });

it('steps without faults end on every branch', () => {
  fc.assert(
    fc.property(anySteps, anyChoices, (steps, choices) => {
      fc.pre(faultsInSteps(steps).length === 0 && loopsInSteps(steps).length === 0);
      let at: string | null = 'a';
      for (const choice of choices) {
        const here = steps.find(({ id }) => id === at);
        if (here) at = nextStepsOf(here, steps)[choice ? 0 : nextStepsOf(here, steps).length - 1] ?? null;
      }
      expect(at).toBeNull();
    }),
    { numRuns: 300, maxSkipsPerRun: 1_000 },
  );
});

describe('expressions that refer to steps', () => {
  const asks = (id: string, text: string, then?: Next, otherwise?: Next): Step => ({
    ...decide(id, then, otherwise),
    if: text,
  });
  const tells = (id: string, message: string, subject?: string): Step => ({
    id,
    type: 'notify',
    integration_id: 'wfi_1',
    message,
    ...(subject !== undefined && { subject }),
  });
  const sends = (id: string, body: Record<string, unknown>): Step => ({
    id,
    type: 'http_request',
    integration_id: 'wfi_1',
    body,
  });

  it.each<[string, readonly Step[], readonly string[]]>([
    [
      'that run before',
      [act('a'), tells('b', '{{ steps.a.status }}'), asks('c', 'steps.a.status == "x" || has(steps["b"].status)')],
      [],
    ],
    ['that may run before', [decide('a', 'b', 'c'), act('b', 'c'), asks('c', 'has(steps.b)')], []],
    [
      'that run later, are themselves or do not exist',
      [asks('a', 'has(steps.b)'), asks('b', 'has(steps.b)'), asks('c', 'steps.x.n == 1')],
      ['0.if', '1.if', '2.if'],
    ],
    [
      'of another branch',
      [decide('a', 'b', 'c'), act('b', null), tells('c', '{{ steps.b.status }}', 'x')],
      ['2.message'],
    ],
    [
      'in each kind of text',
      [tells('a', '{{ steps.x }}', '{{ steps.y }}'), sends('b', { c: [{ d: '{{ steps.x }}' }], e: 1, f: '{{ 1 }}' })],
      ['0.message', '0.subject', '1.body.c.0.d'],
    ],
    [
      'with ids that are names of object properties',
      [act('constructor'), asks('b', 'has(steps.constructor) && has(steps.toString)')],
      ['1.if'],
    ],
    ['in a macro over a list', [act('a'), asks('b', 'data.list.exists(x, x == steps.b.status)')], ['1.if']],
    ['in a macro whose variable is named steps', [asks('a', 'data.list.exists(steps, steps.b == 1)')], []],
    ['in the list of a macro', [asks('a', 'steps.b.exists(steps, steps.c == 1)')], ['0.if']],
    [
      'that are known only at run time',
      [act('a'), asks('b', 'steps[data.step].n == 1 || "x" in steps || size(steps) > 1 || data.steps.x == 1')],
      [],
    ],
    ['in steps with unknown ids', [asks('a', 'has(steps.x)', 'nope'), act('b')], []],
    ['in steps with a loop', [asks('a', 'has(steps.x)', 'b'), act('b', 'a')], []],
  ])('have the expected faults: %s', (_, steps, found) =>
    expect(faultsInReferences(steps).map(({ path }) => path)).toEqual(found.map((path) => `steps.${path}`)),
  );

  it('can refer to every step that may run before, and to no other', () => {
    fc.assert(
      fc.property(anySteps, anyChoices, fc.constantFrom(...ids), (drawn, choices, sought) => {
        const steps = drawn.map((step) =>
          step.type === 'condition' ? asks(step.id, `has(steps.${sought})`, step.then, step.else) : step,
        );
        fc.pre(faultsInSteps(steps).length === 0 && loopsInSteps(steps).length === 0);
        const wrong = new Set(faultsInReferences(steps).map(({ path }) => path));
        const seen = new Set<string>();
        let at: string | null = 'a';
        for (const choice of choices) {
          const n = steps.findIndex(({ id }) => id === at);
          const here = steps[n];
          if (!here) break;
          if (seen.has(sought)) expect(wrong.has(`steps.${n}.if`)).toBe(false);
          seen.add(here.id);
          at = nextStepsOf(here, steps)[choice ? 0 : nextStepsOf(here, steps).length - 1] ?? null;
        }
        const own = steps.findIndex(({ id }) => id === sought);
        if (steps[own]?.type === 'condition') expect(wrong.has(`steps.${own}.if`)).toBe(true);
      }),
      { numRuns: 300, maxSkipsPerRun: 1_000 },
    );
  });
});
