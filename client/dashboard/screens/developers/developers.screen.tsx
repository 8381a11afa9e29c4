import type { FunctionComponent } from 'preact';
import { useRoute } from 'preact-iso';
import { ApiKeys } from '#client/dashboard/screens/developers/api-keys.tsx';
import { AuditLog } from '#client/dashboard/screens/developers/audit-log.tsx';
import { FailedRequests } from '#client/dashboard/screens/developers/failed-requests.tsx';
import { LinkButton } from '#client/dashboard/ui/button.tsx';
import { Page } from '#client/dashboard/ui/page.tsx';
import { Tabs } from '#client/dashboard/ui/tabs.tsx';

type Part = { readonly label: string; readonly part: string; readonly Content: FunctionComponent };

const PARTS: readonly Part[] = [
  { label: 'API keys', part: '', Content: ApiKeys },
  { label: 'Failed requests', part: 'failed-requests', Content: FailedRequests },
  { label: 'Audit', part: 'audit', Content: AuditLog },
];

/** For who integrates the API: keys, why requests fail, and who changed what. */
export function DevelopersScreen() {
  const { part = '' } = useRoute().params;
  const { Content } = PARTS.find((each) => each.part === part) ?? { Content: ApiKeys };
  return (
    <Page
      title="Developers"
      actions={
        <>
          <LinkButton href="/openapi.json" icon="external" isExternal>
            API document
          </LinkButton>
          <LinkButton href="/docs" icon="external" isExternal>
            Documentation
          </LinkButton>
        </>
      }
    >
      <Tabs
        label="Developers"
        tabs={PARTS.map((each) => ({
          label: each.label,
          href: each.part === '' ? '/dashboard/developers' : `/dashboard/developers/${each.part}`,
          isCurrent: each.part === part,
        }))}
      />
      <Content />
    </Page>
  );
}
