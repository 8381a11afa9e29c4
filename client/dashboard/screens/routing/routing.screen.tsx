import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { AbTests } from '#client/dashboard/screens/routing/ab-tests.tsx';
import { Policies } from '#client/dashboard/screens/routing/policies.tsx';
import { RulesPanel } from '#client/dashboard/screens/routing/rules-panel.tsx';
import { Simulator } from '#client/dashboard/screens/routing/simulator.tsx';
import { Page } from '#client/dashboard/ui/page.tsx';
import { Tabs } from '#client/dashboard/ui/tabs.tsx';

const PARTS = [
  { part: '', label: 'Rules' },
  { part: 'simulator', label: 'Simulator' },
  { part: 'ab-tests', label: 'A/B tests' },
  { part: 'policies', label: 'Policies' },
] as const;

/** Where payments go and why. An order of rules that is not saved yet is kept while one looks at the other parts. */
export function RoutingScreen() {
  const part = useRoute().params.part ?? '';
  const [order, setOrder] = useState<readonly string[]>();
  return (
    <Page title="Routing" subtitle="Which connection takes which payment, and what happens when it fails.">
      <Tabs
        label="Routing"
        tabs={PARTS.map(({ part: each, label }) => ({
          label,
          href: each ? `/dashboard/routing/${each}` : '/dashboard/routing',
          isCurrent: each === part,
        }))}
      />
      {part === '' && <RulesPanel draft={{ order, setOrder }} />}
      {part === 'simulator' && <Simulator order={order} />}
      {part === 'ab-tests' && <AbTests />}
      {part === 'policies' && <Policies />}
    </Page>
  );
}
