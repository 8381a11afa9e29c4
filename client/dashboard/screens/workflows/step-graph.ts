import type { WorkflowStep } from '#client/typescript/src/generated/schemas.ts';

/** Where a step leads. `to`: null for the end. `when`: of a condition. */
export type StepEdge = { readonly from: string; readonly to: string | null; readonly when?: 'yes' | 'no' };

/** An edge between rows, of which `rows.length` is the end. `lane`: beside the steps, 0 for a line straight down. */
export type DrawnEdge = StepEdge & { readonly fromRow: number; readonly toRow: number; readonly lane: number };

export type StepGraph = {
  readonly rows: readonly WorkflowStep[];
  readonly edges: readonly DrawnEdge[];
  readonly lanes: number;
};

/** As the API runs them: the next in the list unless a step says otherwise. */
export function edgesOf(steps: readonly WorkflowStep[]): readonly StepEdge[] {
  return steps.flatMap((step, n): StepEdge[] => {
    const following = steps[n + 1]?.id ?? null;
    if (step.type !== 'condition') return [{ from: step.id, to: step.next === undefined ? following : step.next }];
    return [
      { from: step.id, to: step.then === undefined ? following : step.then, when: 'yes' },
      { from: step.id, to: step.else ?? null, when: 'no' },
    ];
  });
}

/** Every line goes down: a step stands below all that lead to it, otherwise as the list has them. */
export function graphOf(steps: readonly WorkflowStep[]): StepGraph {
  const edges = edgesOf(steps);
  const rows = inOrder(steps, edges);
  const rowOf = new Map(rows.map(({ id }, row) => [id, row]));
  const between = edges.map((edge) => ({
    ...edge,
    fromRow: rowOf.get(edge.from) ?? 0,
    toRow: edge.to === null ? rows.length : (rowOf.get(edge.to) ?? rows.length),
  }));
  const drawn = inLanes(between);
  return { rows, edges: drawn, lanes: Math.max(0, ...drawn.map(({ lane }) => lane)) };
}

function inOrder(steps: readonly WorkflowStep[], edges: readonly StepEdge[]): readonly WorkflowStep[] {
  const placed = new Set<string>();
  const rest = [...steps];
  const order: WorkflowStep[] = [];
  while (rest.length > 0) {
    const isFree = ({ id }: WorkflowStep) => edges.every(({ from, to }) => to !== id || placed.has(from));
    // The API takes no loops. Should there be one, its first step goes first.
    const next = Math.max(0, rest.findIndex(isFree));
    const [step] = rest.splice(next, 1);
    if (!step) break;
    placed.add(step.id);
    order.push(step);
  }
  return order;
}

type Placed = Omit<DrawnEdge, 'lane'>;

/** Short lines are nearest to the steps. Two lines in one lane never overlap. */
function inLanes(edges: readonly Placed[]): readonly DrawnEdge[] {
  const lanes: Placed[][] = [];
  const laneOf = (edge: Placed): number => {
    if (edge.toRow - edge.fromRow === 1) return 0;
    const free = lanes.findIndex((lane) => lane.every((other) => !overlap(edge, other)));
    const lane = free < 0 ? lanes.length : free;
    lanes[lane] = [...(lanes[lane] ?? []), edge];
    return lane + 1;
  };
  const bySpan = edges.toSorted((a, b) => a.toRow - a.fromRow - (b.toRow - b.fromRow));
  return bySpan.map((edge) => ({ ...edge, lane: laneOf(edge) }));
}

const overlap = (a: Placed, b: Placed): boolean => a.fromRow < b.toRow && b.fromRow < a.toRow;
