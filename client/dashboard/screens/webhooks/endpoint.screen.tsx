import { useState } from 'preact/hooks';
import { ConfigureDialog } from '#client/dashboard/screens/webhooks/configure-dialog.tsx';
import { RotateDialog } from '#client/dashboard/screens/webhooks/rotate-dialog.tsx';
import { useWebhookConfig, WebhooksPage } from '#client/dashboard/screens/webhooks/webhooks-page.tsx';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Badge, StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { CopyButton } from '#client/dashboard/ui/copy-button.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { Id, KeyValue } from '#client/dashboard/ui/values.tsx';
import type { WebhookConfig } from '#client/typescript/src/index.ts';

/** Where events are sent, which ones, and the secret that signs them. */
export function EndpointScreen() {
  const query = useWebhookConfig();
  const { can } = useSession();
  const [isEditing, edit] = useState(false);
  const mayWrite = can('webhooks:write');
  return (
    <WebhooksPage>
      <Loaded query={query} rows={5}>
        {(config) =>
          config ? (
            <Endpoint config={config} edit={mayWrite ? () => edit(true) : undefined} />
          ) : (
            <Empty
              icon="webhooks"
              title="No endpoint yet"
              action={
                mayWrite && (
                  <Button tone="primary" icon="plus" onClick={() => edit(true)}>
                    Add endpoint
                  </Button>
                )
              }
            >
              Events are recorded all the same, and can be listed. Add the address of your server to receive them.
            </Empty>
          )
        }
      </Loaded>
      {isEditing && <ConfigureDialog config={query.data ?? null} onClose={() => edit(false)} />}
    </WebhooksPage>
  );
}

type EndpointProps = { readonly config: WebhookConfig; readonly edit: (() => void) | undefined };

const Endpoint = (props: EndpointProps) => (
  <>
    <Address {...props} />
    <Signing {...props} />
  </>
);

function Address({ config: { url, events, enabled, created_at, updated_at }, edit }: EndpointProps) {
  const button = edit && (
    <Button icon="edit" onClick={edit}>
      Edit
    </Button>
  );
  return (
    <Section title="Endpoint" actions={button} isCard>
      <KeyValue
        items={[
          ['URL', <Id key="url" id={url} />],
          ['Status', <StatusBadge key="status" status={enabled ? 'enabled' : 'disabled'} />],
          ['Events', <EventTypes key="events" events={events} />],
          ['Created', <Time key="created" at={created_at} />],
          ['Changed', <Time key="updated" at={updated_at} />],
        ]}
      />
    </Section>
  );
}

function Signing({ config: { signing_secret, previous_secret_expires_at }, edit }: EndpointProps) {
  const [isRotating, rotate] = useState(false);
  const button = edit && (
    <Button icon="key" onClick={() => rotate(true)}>
      Replace secret
    </Button>
  );
  return (
    <Section
      title="Signing secret"
      description="Your server checks with it that an event comes from Payfork."
      actions={button}
      isCard
    >
      <KeyValue
        items={[
          ['Secret', <SigningSecret key="secret" secret={signing_secret} />],
          ['The one before signs until', previous_secret_expires_at && <Time at={previous_secret_expires_at} />],
        ]}
      />
      {isRotating && <RotateDialog onClose={() => rotate(false)} />}
    </Section>
  );
}

const EventTypes = ({ events }: { readonly events: readonly string[] }) => (
  <span class="badges">
    {events.includes('*') ? <Badge>All events</Badge> : events.map((type) => <Badge key={type}>{type}</Badge>)}
  </span>
);

/** Whoever may not change it gets it masked from the API. Others see it when they ask. */
function SigningSecret({ secret }: { readonly secret: string }) {
  const [isShown, show] = useState(false);
  if (secret.includes('*')) return <code>{secret}</code>;
  return (
    <span class="id">
      <code>{isShown ? secret : `whsec_${'•'.repeat(12)}`}</code>
      <Button size="small" tone="quiet" aria-pressed={isShown} onClick={() => show(!isShown)}>
        {isShown ? 'Hide' : 'Show'}
      </Button>
      {isShown && <CopyButton text={secret} />}
    </span>
  );
}
