import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Alert } from '#client/dashboard/ui/alert.tsx';
import { LinkButton } from '#client/dashboard/ui/button.tsx';
import { Page } from '#client/dashboard/ui/page.tsx';
import { NoPermission } from '#client/dashboard/ui/states.tsx';
import { Tabs } from '#client/dashboard/ui/tabs.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import type { WebhookConfig } from '#client/typescript/src/index.ts';

const TABS = [
  { label: 'Events', href: '/dashboard/webhooks' },
  { label: 'Endpoint', href: '/dashboard/webhooks/endpoint' },
  { label: 'Verify signatures', href: '/dashboard/webhooks/verify' },
  { label: 'Changes', href: '/dashboard/webhooks/changes' },
] as const;

type WebhooksPageProps = { readonly actions?: ComponentChildren; readonly children: ComponentChildren };

/** What the four parts have in common. Texts are English: whoever runs a server for events reads English code too. */
export function WebhooksPage({ actions, children }: WebhooksPageProps) {
  const { path } = useLocation();
  const { can } = useSession();
  if (!can('webhooks:read'))
    return (
      <Page title="Webhooks">
        <NoPermission />
      </Page>
    );
  return (
    <Page title="Webhooks" actions={actions}>
      <Tabs label="Webhooks" tabs={TABS.map((tab) => ({ ...tab, isCurrent: tab.href === path }))} />
      <DisabledAlert />
      {children}
    </Page>
  );
}

/** The configuration, or null where there is none yet. */
export const useWebhookConfig = () =>
  useQuery<WebhookConfig | null>(['webhook-config'], async (api, options) => {
    try {
      return await api.webhooks.getConfig({}, options);
    } catch (error) {
      if (error instanceof Error && 'status' in error && error.status === 404) return null;
      throw error;
    }
  });

const REASONS = {
  gone: 'Your endpoint answered 410 Gone.',
  failing: 'Your endpoint failed every delivery for days.',
} as const;

/** What nobody may overlook: no event arrives. */
function DisabledAlert() {
  const { data } = useWebhookConfig();
  if (!data || data.enabled) return null;
  const action = (
    <LinkButton size="small" href="/dashboard/webhooks/endpoint">
      Endpoint
    </LinkButton>
  );
  return (
    <Alert tone="warn" title="Webhooks are disabled" action={action}>
      <p>
        {data.disabled_reason ? REASONS[data.disabled_reason] : 'Someone has switched them off.'} No event is sent since{' '}
        <Time at={data.disabled_at} />. They can be replayed once webhooks are enabled again.
      </p>
    </Alert>
  );
}
