import { useState } from 'preact/hooks';
import { fieldError } from '#client/dashboard/api/api-problem.ts';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { StepDiagram } from '#client/dashboard/screens/workflows/step-diagram.tsx';
import { namesOf } from '#client/dashboard/screens/workflows/step-words.ts';
import { EXAMPLE_STEPS, stepsIn } from '#client/dashboard/screens/workflows/template-json.ts';
import { useIntegrations } from '#client/dashboard/screens/workflows/use-definitions.ts';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input, Textarea } from '#client/dashboard/ui/field.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { WorkflowTemplate } from '#client/typescript/src/generated/schemas.ts';

type TemplateDialogProps = { readonly template?: WorkflowTemplate; readonly onClose: () => void };

/** Creates a template, or makes a new version of it. The drawing follows what is typed. */
export function TemplateDialog({ template, onClose }: TemplateDialogProps) {
  const [name, setName] = useState(template?.name ?? '');
  const [text, setText] = useState(() => JSON.stringify(template?.steps ?? EXAMPLE_STEPS, null, 2));
  const names = namesOf(useIntegrations().data ?? []);
  const read = stepsIn(text);
  const steps = 'steps' in read ? read.steps : undefined;
  const input = steps && name.trim() !== '' ? { name: name.trim(), steps } : undefined;
  return (
    <ConfirmDialog
      title={template ? `Change ${template.name}` : 'New template'}
      confirm={template ? 'Save as a new version' : 'Create template'}
      size="wide"
      input={input}
      send={(api, body, options) =>
        template
          ? api.workflows.updateTemplate(template.id, body, options)
          : api.workflows.createTemplate(body, options)
      }
      onDone={() => {
        invalidate('workflows');
        showToast(template ? 'The new version is in use.' : 'The template was created.');
        onClose();
      }}
      onClose={onClose}
    >
      {(problem) => (
        <>
          {template && <p>New runs take the new version. Runs under way keep the one that they began with.</p>}
          <Input label="Name" value={name} onValue={setName} maxLength={200} error={fieldError(problem, 'name')} />
          <Textarea
            label="Steps (JSON)"
            hint="Types: condition, http_request, notify, tag_payment, capture_payment, cancel_payment, refund_payment, pause_subscription, delay."
            isCode
            rows={14}
            value={text}
            onValue={setText}
            error={'fault' in read ? read.fault : fieldError(problem, 'steps')}
          />
          {steps && isDrawable(steps) && <StepDiagram steps={steps} names={names} />}
        </>
      )}
    </ConfirmDialog>
  );
}

/** While it is typed, a step may lack what the drawing needs. */
const isDrawable = (steps: readonly Partial<WorkflowTemplate['steps'][number]>[]): boolean =>
  steps.every((step) => {
    if (typeof step?.id !== 'string' || typeof step.type !== 'string') return false;
    return step.type !== 'tag_payment' || (typeof step.metadata === 'object' && step.metadata !== null);
  });
