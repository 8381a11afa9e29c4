import { useRoute } from 'preact-iso';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { Members } from '#client/dashboard/screens/team/members.tsx';
import { OrganizationNames } from '#client/dashboard/screens/team/organization-names.tsx';
import { OrganizationSettingsForm } from '#client/dashboard/screens/team/organization-settings.tsx';
import { TEAM } from '#client/dashboard/screens/team/team.catalog.ts';
import { Page } from '#client/dashboard/ui/page.tsx';
import { Tabs } from '#client/dashboard/ui/tabs.tsx';

/** Who works in the organization, and what it is called. */
export function TeamScreen() {
  const texts = useMessages(TEAM);
  const isOrganization = useRoute().params.part === 'organization';
  return (
    <Page title={texts.title}>
      <Tabs
        label={texts.title}
        tabs={[
          { label: texts.members, href: '/dashboard/team', isCurrent: !isOrganization },
          { label: texts.organization, href: '/dashboard/team/organization', isCurrent: isOrganization },
        ]}
      />
      {isOrganization ? (
        <>
          <OrganizationNames />
          <OrganizationSettingsForm />
        </>
      ) : (
        <Members />
      )}
    </Page>
  );
}
