import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { RunSteps } from '#client/dashboard/screens/workflows/run-steps.tsx';
import { StepDiagram } from '#client/dashboard/screens/workflows/step-diagram.tsx';
import { namesOf } from '#client/dashboard/screens/workflows/step-words.ts';
import { useIntegrations, useRules, useTemplates } from '#client/dashboard/screens/workflows/use-definitions.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Alert } from '#client/dashboard/ui/alert.tsx';
import { StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Columns, Page, Section } from '#client/dashboard/ui/page.tsx';
import { Loaded } from '#client/dashboard/ui/states.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import { Id, KeyValue } from '#client/dashboard/ui/values.tsx';
import type { WorkflowExecution } from '#client/typescript/src/generated/schemas.ts';

const CRUMBS = [
  { label: 'Workflows', href: '/dashboard/workflows' },
  { label: 'Runs', href: '/dashboard/workflows/runs' },
];
const EVERY = 5_000;
const OPEN: ReadonlySet<WorkflowExecution['status']> = new Set(['pending', 'running', 'waiting']);

export function RunScreen() {
  const { id = '' } = useRoute().params;
  const [isOver, setOver] = useState(false);
  const query = useQuery(['runs', 'one', id], (api, options) => api.workflows.getExecution(id, {}, options), {
    every: isOver ? undefined : EVERY,
  });
  const hasEnded = query.data !== undefined && !OPEN.has(query.data.status);
  if (hasEnded !== isOver) setOver(hasEnded);
  if (query.data) return <OneRun run={query.data} />;
  return (
    <Page title="Run" breadcrumbs={CRUMBS}>
      <Loaded query={query} rows={8}>
        {() => null}
      </Loaded>
    </Page>
  );
}

function OneRun({ run }: { readonly run: WorkflowExecution }) {
  const templates = useTemplates();
  const template = templates.data?.find(({ id }) => id === run.template_id);
  return (
    <Page
      title={`Run of ${template?.name ?? run.template_id}`}
      badge={<StatusBadge status={run.status} />}
      breadcrumbs={CRUMBS}
      subtitle={<Id id={run.id} />}
      actions={<CancelRun run={run} />}
    >
      {run.error && (
        <Section>
          <Alert tone="bad" title={run.error.code} isLive={false}>
            <p>{run.error.message}</p>
          </Alert>
        </Section>
      )}
      <Columns layout="side">
        <Section title="Steps so far">
          <RunSteps run={run} />
        </Section>
        <Facts run={run} />
      </Columns>
      {template && <RunDiagram run={run} steps={template.steps} version={template.version} />}
    </Page>
  );
}

type RunDiagramProps = {
  readonly run: WorkflowExecution;
  readonly steps: Parameters<typeof StepDiagram>[0]['steps'];
  readonly version: number;
};

/** Only the newest version of a template is known, so an older run is not drawn into it. */
function RunDiagram({ run, steps, version }: RunDiagramProps) {
  const names = namesOf(useIntegrations().data ?? []);
  if (run.template_version !== version)
    return (
      <Section title="Diagram">
        <p class="muted">
          This run has version {run.template_version} of its template, which is at version {version} now.
        </p>
      </Section>
    );
  return (
    <Section title="Diagram" isCard>
      <StepDiagram steps={steps} names={names} runs={run.steps} />
    </Section>
  );
}

function Facts({ run }: { readonly run: WorkflowExecution }) {
  const { template_id, rule_id, event } = run;
  const rule = useRules().data?.find(({ id }) => id === rule_id);
  return (
    <Section isCard>
      <KeyValue
        items={[
          ['Template', <Id key="template" id={template_id} href={`/dashboard/workflows/templates/${template_id}`} />],
          ['Started by', startedBy(run, rule?.name)],
          ['Event', <Id key="event" id={event.id} href={`/dashboard/webhooks/events/${event.id}`} />],
          ['Event type', <code key="type">{event.type}</code>],
          ['Created', <Time key="created" at={run.created_at} />],
          ['Goes on', run.next_step_at && <Time at={run.next_step_at} />],
          ['Ended', run.ended_at && <Time at={run.ended_at} />],
        ]}
      />
    </Section>
  );
}

function startedBy({ rule_id, connection_id: connection }: WorkflowExecution, rule: string | undefined): string {
  if (rule_id) return `Rule ${rule ?? rule_id}`;
  return connection ? `Connection ${connection}` : 'A person or a key';
}

function CancelRun({ run }: { readonly run: WorkflowExecution }) {
  const { can } = useSession();
  const [isOpen, setOpen] = useState(false);
  if (!can('workflows:write') || !OPEN.has(run.status)) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Cancel the run…</Button>
      {isOpen && (
        <ConfirmDialog
          title="Cancel this run?"
          confirm="Cancel the run"
          tone="danger"
          input={{}}
          send={(api, input, options) => api.workflows.cancelExecution(run.id, input, options)}
          onDone={() => {
            invalidate('runs');
            showToast('The run was canceled.');
            setOpen(false);
          }}
          onClose={() => setOpen(false)}
        >
          <p>No further step begins. A step that is under way ends as it would; what was done stays done.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
