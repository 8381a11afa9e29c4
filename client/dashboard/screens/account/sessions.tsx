import { useState } from 'preact/hooks';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { ACCOUNT } from '#client/dashboard/screens/account/account.catalog.ts';
import { leave } from '#client/dashboard/shell/session.tsx';
import { Badge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Nothing, Time } from '#client/dashboard/ui/time.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { UserSession } from '#client/typescript/src/index.ts';

export function Sessions() {
  const texts = useMessages(ACCOUNT);
  const [ending, end] = useState<UserSession | 'all'>();
  const pages = usePages(['sessions'], (api, options) => api.auth.listSessions({}, options));
  return (
    <Section
      title={texts.sessions}
      description={texts.sessionsHint}
      actions={<Button onClick={() => end('all')}>{texts.endAll}</Button>}
    >
      <PagedList pages={pages} empty={null}>
        {(rows) => <SessionTable rows={rows} onEnd={end} />}
      </PagedList>
      {ending === 'all' && <EndAllDialog onClose={() => end(undefined)} />}
      {ending && ending !== 'all' && <EndDialog session={ending} onClose={() => end(undefined)} />}
    </Section>
  );
}

type SessionTableProps = { readonly rows: readonly UserSession[]; readonly onEnd: (session: UserSession) => void };

function SessionTable({ rows, onEnd }: SessionTableProps) {
  const texts = useMessages(ACCOUNT);
  const columns: readonly Column<UserSession>[] = [
    {
      key: 'begun',
      header: texts.begun,
      cell: ({ created_at, current }) => (
        <span class="row">
          <Time at={created_at} />
          {current && <Badge tone="info">{texts.thisSession}</Badge>}
        </span>
      ),
    },
    { key: 'used', header: texts.lastUsed, cell: ({ last_used_at }) => <Time at={last_used_at} as="relative" /> },
    {
      key: 'proof',
      header: texts.proof,
      cell: ({ proved_by }) => (proved_by ? texts.proofs[proved_by] : <Nothing />),
    },
    { key: 'ends', header: texts.ends, cell: ({ expires_at }) => <Time at={expires_at} as="relative" /> },
    {
      key: 'actions',
      header: texts.actions,
      isHeaderHidden: true,
      align: 'end',
      cell: (session) =>
        !session.current && (
          <Button size="small" tone="quiet" onClick={() => onEnd(session)}>
            {texts.endSession}
          </Button>
        ),
    },
  ];
  return <Table label={texts.sessions} columns={columns} rows={rows} rowKey={({ id }) => id} />;
}

function EndDialog({ session: { id }, onClose }: { readonly session: UserSession; readonly onClose: () => void }) {
  const texts = useMessages(ACCOUNT);
  return (
    <ConfirmDialog
      title={texts.endSessionTitle}
      confirm={texts.endSession}
      tone="danger"
      input={{}}
      send={(api) => api.auth.endSession(id)}
      onDone={() => {
        invalidate('sessions');
        showToast(texts.sessionEnded);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{texts.endSessionHint}</p>
    </ConfirmDialog>
  );
}

function EndAllDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useMessages(ACCOUNT);
  return (
    <ConfirmDialog
      title={texts.endAllTitle}
      confirm={texts.endAll}
      tone="danger"
      input={{ everywhere: true }}
      send={(api, input) => api.auth.endCurrentSession(input)}
      onDone={leave}
      onClose={onClose}
    >
      <p>{texts.endAllHint}</p>
    </ConfirmDialog>
  );
}
