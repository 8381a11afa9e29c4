import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { fieldError } from '#client/dashboard/api/api-problem.ts';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { WorkflowTemplate } from '#client/typescript/src/generated/schemas.ts';

type StartProps = { readonly template: WorkflowTemplate; readonly onClose: () => void };

/** Runs a template now, for an event of any age. */
export function StartDialog({ template, onClose }: StartProps) {
  const { route } = useLocation();
  const [event, setEvent] = useState('');
  const recent = useQuery(['webhooks', 'newest'], (api, options) => api.webhooks.listEvents({ limit: 20 }, options));
  const event_id = event.trim();
  return (
    <ConfirmDialog
      title={`Run ${template.name}?`}
      confirm="Run it now"
      input={event_id === '' ? undefined : { template_id: template.id, event_id }}
      send={(api, input, options) => api.workflows.startExecution(input, options)}
      onDone={({ id }) => {
        invalidate('workflows', 'runs');
        showToast('The run has started.');
        onClose();
        route(`/dashboard/workflows/runs/${id}`);
      }}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <p>
            Its {template.steps.length} steps run as if the event had just happened. Steps that move money move it{' '}
            again.
          </p>
          <Input
            label="Event"
            placeholder="evt_…"
            value={event}
            onValue={setEvent}
            suggestions={recent.data?.items.map(({ id }) => id) ?? []}
            error={fieldError(problem, 'event_id')}
          />
        </>
      )}
    </ConfirmDialog>
  );
}
