import { typeWords } from '#client/dashboard/screens/workflows/step-words.ts';
import { StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { JsonView } from '#client/dashboard/ui/code.tsx';
import { Empty } from '#client/dashboard/ui/states.tsx';
import { Timeline } from '#client/dashboard/ui/timeline.tsx';
import type { WorkflowExecution, WorkflowStepRun } from '#client/typescript/src/generated/schemas.ts';

const TONES = { running: 'info', succeeded: 'good', failed: 'bad', canceled: 'neutral' } as const;
const ICONS = { running: 'clock', succeeded: 'check', failed: 'close', canceled: 'minus' } as const;

/** What the run has done, and what each step returned. */
export function RunSteps({ run }: { readonly run: WorkflowExecution }) {
  if (run.steps.length === 0) return <Empty icon="clock" title="No step has begun yet" />;
  return (
    <Timeline
      label="Steps so far"
      entries={run.steps.map((step) => ({
        key: step.id,
        at: step.started_at,
        title: (
          <>
            <strong>{step.id}</strong> <span class="muted">{typeWords(step.type)}</span>
          </>
        ),
        tone: TONES[step.status],
        icon: ICONS[step.status],
        aside: <StatusBadge status={step.status} />,
        children: <StepResult step={step} />,
      }))}
    />
  );
}

function StepResult({ step }: { readonly step: WorkflowStepRun }) {
  const { error, tries, output, id } = step;
  return (
    <>
      {tries > 1 && <p>{tries} attempts</p>}
      {error && (
        <p>
          <code>{error.code}</code>: {error.message}
        </p>
      )}
      {Object.keys(output).length > 0 && (
        <details>
          <summary>Output</summary>
          <JsonView value={output} label={`Output of ${id}`} />
        </details>
      )}
    </>
  );
}
