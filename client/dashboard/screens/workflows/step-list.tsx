import { edgesOf } from '#client/dashboard/screens/workflows/step-graph.ts';
import { nextWords, stepWords, typeWords } from '#client/dashboard/screens/workflows/step-words.ts';
import { Badge } from '#client/dashboard/ui/badge.tsx';
import { JsonView } from '#client/dashboard/ui/code.tsx';
import type { WorkflowStep } from '#client/typescript/src/generated/schemas.ts';

type StepListProps = { readonly steps: readonly WorkflowStep[]; readonly names: ReadonlyMap<string, string> };

/** The same as the drawing, in words, with all that a step has. */
export function StepList({ steps, names }: StepListProps) {
  const edges = edgesOf(steps);
  return (
    <ol class="step-list" aria-label="Steps">
      {steps.map((step) => (
        <li key={step.id}>
          <p>
            <strong>{step.id}</strong> <Badge>{typeWords(step.type)}</Badge>{' '}
            {step.on_error === 'continue' && <Badge tone="warn">Goes on after a failure</Badge>}
          </p>
          <p>{stepWords(step, names)}.</p>
          <p class="muted">{nextWords(step, edges)}.</p>
          <details>
            <summary>All fields</summary>
            <JsonView value={step} label={`Fields of ${step.id}`} />
          </details>
        </li>
      ))}
    </ol>
  );
}
