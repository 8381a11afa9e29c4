import { useNames } from '#client/dashboard/api/use-names.ts';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { loadWebhookAudit } from '#client/dashboard/screens/webhooks/webhook-audit.ts';
import { WebhooksPage } from '#client/dashboard/screens/webhooks/webhooks-page.tsx';
import { wordsOf } from '#client/dashboard/ui/badge.tsx';
import { Changes } from '#client/dashboard/ui/changes.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { Empty } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import type { WebhookAudit } from '#client/typescript/src/index.ts';

/** Who changed the configuration, newest first. */
export function ChangesScreen() {
  const pages = usePages(['webhook-audit'], loadWebhookAudit);
  return (
    <WebhooksPage>
      <PagedList pages={pages} empty={<Empty icon="webhooks" title="Nothing was changed yet" />}>
        {(rows) => <Table label="Changes" columns={COLUMNS} rows={rows} rowKey={({ id }) => String(id)} />}
      </PagedList>
    </WebhooksPage>
  );
}

const COLUMNS: readonly Column<WebhookAudit>[] = [
  { key: 'at', header: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
  { key: 'action', header: 'What', cell: ({ action }) => wordsOf(action.replace('webhook.', '')) },
  { key: 'who', header: 'Who', cell: (entry) => <Actor entry={entry} /> },
  { key: 'changes', header: 'Changes', isWide: true, cell: ({ metadata }) => <Metadata metadata={metadata} /> },
];

/** What a key says of its caller was not verified, so the key stands beside it. */
function Actor({ entry: { actor_id, actor_claimed, metadata } }: { readonly entry: WebhookAudit }) {
  const nameOf = useNames();
  return (
    <>
      {nameOf(actor_id)}
      {actor_claimed && metadata.credential_id && <span class="muted"> by {nameOf(metadata.credential_id)}</span>}
    </>
  );
}

const REASONS = { gone: 'It answered 410 Gone.', failing: 'It failed every delivery for days.' } as const;

const Metadata = ({ metadata: { changes, reason } }: Pick<WebhookAudit, 'metadata'>) => (
  <>
    {reason && <p>{REASONS[reason]}</p>}
    <Changes changes={changes} />
  </>
);
