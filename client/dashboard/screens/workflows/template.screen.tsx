import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { DeleteDialog } from '#client/dashboard/screens/workflows/delete-dialog.tsx';
import { RuleTable } from '#client/dashboard/screens/workflows/rule-table.tsx';
import { RunList } from '#client/dashboard/screens/workflows/run-list.tsx';
import { StartDialog } from '#client/dashboard/screens/workflows/start-dialog.tsx';
import { StepDiagram } from '#client/dashboard/screens/workflows/step-diagram.tsx';
import { StepList } from '#client/dashboard/screens/workflows/step-list.tsx';
import { namesOf } from '#client/dashboard/screens/workflows/step-words.ts';
import { TemplateDialog } from '#client/dashboard/screens/workflows/template-dialog.tsx';
import { useIntegrations, useRules } from '#client/dashboard/screens/workflows/use-definitions.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Columns, Page, Section } from '#client/dashboard/ui/page.tsx';
import { Loaded } from '#client/dashboard/ui/states.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { Id } from '#client/dashboard/ui/values.tsx';
import type { WorkflowTemplate } from '#client/typescript/src/generated/schemas.ts';

const CRUMBS = [{ label: 'Workflows', href: '/dashboard/workflows' }];

export function TemplateScreen() {
  const { id = '' } = useRoute().params;
  const query = useQuery(['workflows', 'template', id], (api, options) => api.workflows.getTemplate(id, {}, options));
  if (query.data) return <OneTemplate key={id} template={query.data} />;
  return (
    <Page title="Template" breadcrumbs={CRUMBS}>
      <Loaded query={query} rows={8}>
        {() => null}
      </Loaded>
    </Page>
  );
}

function OneTemplate({ template }: { readonly template: WorkflowTemplate }) {
  const names = namesOf(useIntegrations().data ?? []);
  const rules = useRules();
  const { id, name, steps, version, updated_at } = template;
  return (
    <Page
      title={name}
      breadcrumbs={CRUMBS}
      subtitle={
        <>
          Version {version}, changed <Time at={updated_at} as="relative" /> · <Id id={id} />
        </>
      }
      actions={<Actions template={template} />}
    >
      <Columns>
        <Section title="Diagram" isCard>
          <StepDiagram steps={steps} names={names} />
        </Section>
        <Section title="Steps">
          <StepList steps={steps} names={names} />
        </Section>
      </Columns>
      <Section title="Rules that run it">
        <Loaded query={rules}>
          {(all) => <RuleTable rules={all.filter(({ template_id }) => template_id === id)} hidesTemplate />}
        </Loaded>
      </Section>
      <Section title="Its latest runs">
        <RunList filter={{ template_id: id }} empty="It has not run yet" />
      </Section>
    </Page>
  );
}

function Actions({ template }: { readonly template: WorkflowTemplate }) {
  const { can } = useSession();
  const { route } = useLocation();
  const [open, setOpen] = useState<'start' | 'change' | 'delete'>();
  const close = () => setOpen(undefined);
  if (!can('workflows:write')) return null;
  return (
    <>
      <Button icon="play" onClick={() => setOpen('start')}>
        Run for an event…
      </Button>
      <Button icon="edit" onClick={() => setOpen('change')}>
        Change…
      </Button>
      <Button icon="trash" onClick={() => setOpen('delete')}>
        Delete…
      </Button>
      {open === 'start' && <StartDialog template={template} onClose={close} />}
      {open === 'change' && <TemplateDialog template={template} onClose={close} />}
      {open === 'delete' && (
        <DeleteDialog
          what={`the template ${template.name}`}
          effect="No rule and no connection may use it. Runs under way go on."
          send={(api, input, options) => api.workflows.deleteTemplate(template.id, input, options)}
          onDone={() => route('/dashboard/workflows')}
          onClose={close}
        />
      )}
    </>
  );
}
