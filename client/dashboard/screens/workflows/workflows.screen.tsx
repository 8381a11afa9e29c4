import { useRoute } from 'preact-iso';
import { IntegrationsTab } from '#client/dashboard/screens/workflows/integrations-tab.tsx';
import { RulesTab } from '#client/dashboard/screens/workflows/rules-tab.tsx';
import { RunsTab } from '#client/dashboard/screens/workflows/runs-tab.tsx';
import { TemplatesTab } from '#client/dashboard/screens/workflows/templates-tab.tsx';
import { Page } from '#client/dashboard/ui/page.tsx';
import { Tabs } from '#client/dashboard/ui/tabs.tsx';

export const WORKFLOWS_PATH = '/dashboard/workflows';

const PARTS = [
  { part: '', label: 'Templates', Part: TemplatesTab },
  { part: 'rules', label: 'Rules', Part: RulesTab },
  { part: 'integrations', label: 'Integrations', Part: IntegrationsTab },
  { part: 'runs', label: 'Runs', Part: RunsTab },
] as const;

/** What follows an event: templates of steps, the rules that run them, what they call, and their runs. */
export function WorkflowsScreen() {
  const { part = '' } = useRoute().params;
  const current = PARTS.find((each) => each.part === part) ?? PARTS[0];
  return (
    <Page title="Workflows" subtitle="What happens by itself after an event: calls, messages, tags, refunds, waits.">
      <Tabs
        label="Parts of workflows"
        tabs={PARTS.map((each) => ({
          label: each.label,
          href: each.part === '' ? WORKFLOWS_PATH : `${WORKFLOWS_PATH}/${each.part}`,
          isCurrent: each === current,
        }))}
      />
      <current.Part />
    </Page>
  );
}
