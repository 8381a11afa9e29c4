import type { FunctionComponent } from 'preact';
import { useRoute } from 'preact-iso';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { Administrators } from '#client/dashboard/screens/platform/administrators.tsx';
import { Organizations } from '#client/dashboard/screens/platform/organizations.tsx';
import { PlatformAudit } from '#client/dashboard/screens/platform/platform-audit.tsx';
import { Recoveries } from '#client/dashboard/screens/platform/recoveries.tsx';
import { Verification } from '#client/dashboard/screens/platform/verification.tsx';
import { usePlatformRole } from '#client/dashboard/shell/use-platform-role.ts';
import { Page } from '#client/dashboard/ui/page.tsx';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import { Tabs } from '#client/dashboard/ui/tabs.tsx';
import type { PlatformMe } from '#client/typescript/src/generated/schemas.ts';

type Part = {
  readonly label: string;
  readonly part: string;
  readonly Content: FunctionComponent;
  readonly ownersOnly?: true;
};

const PARTS: readonly Part[] = [
  { label: 'Verification', part: '', Content: Verification },
  { label: 'Organizations', part: 'organizations', Content: Organizations },
  { label: 'Recoveries', part: 'recoveries', Content: Recoveries },
  { label: 'Administrators', part: 'administrators', Content: Administrators, ownersOnly: true },
  { label: 'Audit', part: 'audit', Content: PlatformAudit },
];

/** For the people who run the platform. */
export function PlatformScreen() {
  const query = usePlatformRole();
  return (
    <Page title="Platform">
      <Loaded query={query}>
        {({ role }) =>
          role ? <PlatformParts role={role} /> : <NotAllowed what="Only who runs the platform may see this." />
        }
      </Loaded>
    </Page>
  );
}

/** No role in an organization opens this. */
const NotAllowed = ({ what }: { readonly what: string }) => (
  <Empty icon="lock" title={useMessages(FRAME).noPermission}>
    {what}
  </Empty>
);

const ForOwners = () => <NotAllowed what="Only owners of the platform may see this." />;

function PlatformParts({ role }: Pick<PlatformMe, 'role'>) {
  const { part = '' } = useRoute().params;
  const parts = PARTS.filter(({ ownersOnly }) => !ownersOnly || role === 'platform_owner');
  const { Content } = parts.find((each) => each.part === part) ?? { Content: ForOwners };
  return (
    <>
      <Tabs
        label="Platform"
        tabs={parts.map((each) => ({
          label: each.label,
          href: each.part === '' ? '/dashboard/platform' : `/dashboard/platform/${each.part}`,
          isCurrent: each.part === part,
        }))}
      />
      <Content />
    </>
  );
}
