import type { FunctionComponent } from 'preact';
import { useRoute } from 'preact-iso';
import { Clock } from '#client/dashboard/screens/lab/clock.tsx';
import { Faults } from '#client/dashboard/screens/lab/faults.tsx';
import { Mailbox } from '#client/dashboard/screens/lab/mailbox.tsx';
import { Providers } from '#client/dashboard/screens/lab/providers.tsx';
import { Receivers } from '#client/dashboard/screens/lab/receivers.tsx';
import { controlAddress } from '#client/dashboard/shell/navigation.ts';
import { Page } from '#client/dashboard/ui/page.tsx';
import { Empty } from '#client/dashboard/ui/states.tsx';
import { Tabs } from '#client/dashboard/ui/tabs.tsx';

type Part = { readonly label: string; readonly part: string; readonly Content: FunctionComponent };

const PARTS: readonly Part[] = [
  { label: 'Clock', part: '', Content: Clock },
  { label: 'Providers', part: 'providers', Content: Providers },
  { label: 'Faults', part: 'faults', Content: Faults },
  { label: 'Mailbox', part: 'mailbox', Content: Mailbox },
  { label: 'Receivers', part: 'receivers', Content: Receivers },
];

/** What the control server of this machine does. No other host has one. */
export function LabScreen() {
  const { part = '' } = useRoute().params;
  const { Content } = PARTS.find((each) => each.part === part) ?? { Content: Clock };
  if (controlAddress() === undefined) return <NoLab />;
  return (
    <Page title="Lab" subtitle="Time, providers and mail of this machine. Nothing here exists in production.">
      <Tabs
        label="Lab"
        tabs={PARTS.map((each) => ({
          label: each.label,
          href: each.part === '' ? '/dashboard/lab' : `/dashboard/lab/${each.part}`,
          isCurrent: each.part === part,
        }))}
      />
      <Content />
    </Page>
  );
}

const NoLab = () => (
  <Page title="Lab">
    <Empty icon="lab" title="There is no Lab here">
      Only a service on one's own machine (npm start) has one.
    </Empty>
  </Page>
);
