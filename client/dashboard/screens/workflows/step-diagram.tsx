import { type DrawnEdge, graphOf, type StepGraph } from '#client/dashboard/screens/workflows/step-graph.ts';
import { stepWords } from '#client/dashboard/screens/workflows/step-words.ts';
import { classNames } from '#client/dashboard/ui/class-names.ts';
import type { WorkflowStep, WorkflowStepRun } from '#client/typescript/src/generated/schemas.ts';

const NODE = { width: 288, height: 52 };
const GAP = 30;
const LANE = 26;
const START = 10;
/** Longer text would leave its box; the list beside has all of it. */
const MAX_TEXT = 40;

type DiagramProps = {
  readonly steps: readonly WorkflowStep[];
  readonly names: ReadonlyMap<string, string>;
  /** Of one run: how each step stands. */
  readonly runs?: readonly WorkflowStepRun[];
};

/** The steps as a drawing, from top to bottom. Screen readers read the list beside it. */
export function StepDiagram({ steps, names, runs }: DiagramProps) {
  const graph = graphOf(steps);
  const width = NODE.width + 2 * START + graph.lanes * LANE + 34;
  const height = topOf(graph.rows.length) + 44;
  const stateOf = new Map(runs?.map(({ id, status }) => [id, status]));
  return (
    <svg class="diagram" viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
      {graph.edges.map((edge) => (
        <Edge key={`${edge.from} ${edge.to} ${edge.when}`} edge={edge} end={graph.rows.length} />
      ))}
      {graph.rows.map((step, row) => (
        <Node key={step.id} step={step} row={row} words={stepWords(step, names)} state={stateOf.get(step.id)} />
      ))}
      <End graph={graph} />
    </svg>
  );
}

const topOf = (row: number): number => 4 + row * (NODE.height + GAP);

type NodeProps = {
  readonly step: WorkflowStep;
  readonly row: number;
  readonly words: string;
  readonly state: WorkflowStepRun['status'] | undefined;
};

/** Colours as attributes: a style sheet would be loaded with the first screen, which draws no steps. */
const PLAIN = { fill: 'var(--raised)', stroke: 'var(--edge)' };
const QUESTION = { fill: 'var(--info-tint)', stroke: 'var(--info)' };
const BY_STATE = {
  succeeded: { fill: 'var(--good-tint)', stroke: 'var(--good)' },
  failed: { fill: 'var(--bad-tint)', stroke: 'var(--bad)' },
  running: { fill: 'var(--info-tint)', stroke: 'var(--info)', 'stroke-width': 2 },
  canceled: { fill: 'var(--neutral-tint)', stroke: 'var(--neutral)' },
} as const;
const TEXT = { fill: 'var(--text)', 'font-size': 12 } as const;
const MUTED = { ...TEXT, fill: 'var(--muted)' } as const;

function Node({ step, row, words, state }: NodeProps) {
  const y = topOf(row);
  const isQuestion = step.type === 'condition';
  const look = state ? BY_STATE[state] : isQuestion && QUESTION;
  const corner = isQuestion ? NODE.height / 2 : 8;
  return (
    <g class={classNames('diagram-step', state && `diagram-${state}`)}>
      <rect {...(look || PLAIN)} x={START} y={y} width={NODE.width} height={NODE.height} rx={corner} />
      <text {...TEXT} font-size={13} font-weight={600} x={START + 16} y={y + 21} class="diagram-name">
        {cut(step.id, MAX_TEXT - 8)}
      </text>
      {state && (
        <text {...TEXT} font-size={11} text-anchor="end" x={START + NODE.width - 16} y={y + 21}>
          {state}
        </text>
      )}
      <text {...(state ? TEXT : MUTED)} x={START + 16} y={y + 39}>
        {cut(words, MAX_TEXT)}
      </text>
    </g>
  );
}

function End({ graph }: { readonly graph: StepGraph }) {
  const y = topOf(graph.rows.length);
  const middle = START + NODE.width / 2;
  return (
    <g>
      <rect fill="var(--neutral-tint)" x={middle - 32} y={y} width={64} height={28} rx={14} />
      <text {...MUTED} text-anchor="middle" x={middle} y={y + 18}>
        End
      </text>
    </g>
  );
}

function Edge({ edge, end }: { readonly edge: DrawnEdge; readonly end: number }) {
  const { fromRow, toRow, lane, when } = edge;
  const isDown = lane === 0;
  const middle = START + NODE.width / 2;
  const [fromX, fromY] = isDown
    ? [middle, topOf(fromRow) + NODE.height]
    : [START + NODE.width, topOf(fromRow) + NODE.height / 2];
  const toX = toRow === end ? middle + 32 : START + NODE.width;
  const toY = topOf(toRow) + (toRow === end ? 14 : NODE.height / 2);
  const side = START + NODE.width + lane * LANE;
  const path = isDown
    ? `M${fromX} ${fromY}V${topOf(toRow) - 1}`
    : `M${fromX} ${fromY}H${side - 8}q8 0 8 8V${toY - 8}q0 8 -8 8H${toX + 2}`;
  const arrow = isDown ? `M${middle} ${topOf(toRow) - 1}l-4 -7h8z` : `M${toX + 1} ${toY}l7 -4v8z`;
  return (
    <g class="diagram-edge">
      <path d={path} fill="none" stroke="var(--edge)" stroke-width={1.5} />
      <path d={arrow} fill="var(--edge)" />
      {when && (
        <text {...MUTED} x={isDown ? middle + 8 : fromX + 6} y={isDown ? fromY + 18 : fromY - 6}>
          {when}
        </text>
      )}
    </g>
  );
}

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
