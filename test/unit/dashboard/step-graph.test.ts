import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edgesOf, graphOf } from '#client/dashboard/screens/workflows/step-graph.ts';
import type { WorkflowStep } from '#client/typescript/src/generated/schemas.ts';

const delay = (id: string, next?: string | null): WorkflowStep => ({
  id,
  type: 'delay',
  for: '1h',
  ...(next !== undefined && { next }),
});
const question = (id: string, then?: string | null, otherwise?: string | null): WorkflowStep => ({
  id,
  type: 'condition',
  if: 'data.amount > 1',
  ...(then !== undefined && { then }),
  ...(otherwise !== undefined && { else: otherwise }),
});

describe('the edges of a template', () => {
  it('lead to the next step of the list, and from the last one to the end', () =>
    expect(edgesOf([delay('a'), delay('b')])).toEqual([
      { from: 'a', to: 'b' },
      { from: 'b', to: null },
    ]));

  it('lead where a step says, also to the end', () =>
    expect(edgesOf([delay('a', 'c'), delay('b', null), delay('c')])).toEqual([
      { from: 'a', to: 'c' },
      { from: 'b', to: null },
      { from: 'c', to: null },
    ]));

  it('of a condition are two: by default the next step, and the end', () =>
    expect(edgesOf([question('q'), delay('a')])).toEqual([
      { from: 'q', to: 'a', when: 'yes' },
      { from: 'q', to: null, when: 'no' },
      { from: 'a', to: null },
    ]));
});

describe('the drawing of a template', () => {
  it('has a step below all that lead to it, whatever the order of the list is', () => {
    const { rows } = graphOf([question('q', 'late', 'early'), delay('late', null), delay('early', 'late')]);
    expect(rows.map(({ id }) => id)).toEqual(['q', 'early', 'late']);
  });

  it('draws a line straight down only to the row below', () => {
    const { edges, lanes } = graphOf([question('q', 'a', 'b'), delay('a', null), delay('b')]);
    expect(edges.map(({ from, to, lane }) => [from, to, lane])).toEqual(
      expect.arrayContaining([
        ['q', 'a', 0],
        ['b', null, 0],
        ['q', 'b', expect.any(Number)],
        ['a', null, expect.any(Number)],
      ]),
    );
    expect(lanes).toBe(2);
  });

  it('shows every step once, no line upwards, and no two lines over each other', () => {
    const anyTemplate = fc.array(fc.tuple(fc.boolean(), fc.nat(30), fc.nat(30)), { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(anyTemplate, (shape) => {
        const target = (n: number, by: number) => (n + 1 + by < shape.length ? `s${n + 1 + by}` : null);
        const steps = shape.map(([asks, a, b], n) =>
          asks ? question(`s${n}`, target(n, a), target(n, b)) : delay(`s${n}`, target(n, a)),
        );
        const { rows, edges } = graphOf(steps);
        expect(rows.map(({ id }) => id).sort()).toEqual(steps.map(({ id }) => id).sort());
        for (const edge of edges) expect(edge.toRow).toBeGreaterThan(edge.fromRow);
        const aside = edges.filter(({ lane }) => lane > 0);
        for (const [n, a] of aside.entries())
          for (const b of aside.slice(n + 1))
            if (a.lane === b.lane) expect(a.toRow <= b.fromRow || b.toRow <= a.fromRow).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('survives a loop, which the API would refuse, while it is being typed', () => {
    expect(graphOf([delay('a', 'b'), delay('b', 'a')]).rows).toHaveLength(2);
  });
});
