import { useState } from 'preact/hooks';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Textarea } from '#client/dashboard/ui/field.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { Empty } from '#client/dashboard/ui/states.tsx';
import { type Column, RowActions, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { PlatformRecovery } from '#client/typescript/src/index.ts';

type Open = { readonly decision: 'approve' | 'reject'; readonly recovery: PlatformRecovery };

/** People who have lost their second factor and their passkeys. */
export function Recoveries() {
  const [open, setOpen] = useState<Open>();
  const pages = usePages(['platform-recoveries'], (api, options) => api.platform.listAccountRecoveries({}, options));
  const close = () => setOpen(undefined);
  return (
    <Section
      title="Recoveries"
      description="Make sure who asks in another way than by mail: the mailbox may be the thief's. Two administrators approve, then the person waits for 72 hours."
    >
      <PagedList pages={pages} empty={<Empty icon="check" title="Nobody has lost an account" />}>
        {(rows) => <RecoveryTable rows={rows} onOpen={setOpen} />}
      </PagedList>
      {open?.decision === 'approve' && <ApproveDialog recovery={open.recovery} onClose={close} />}
      {open?.decision === 'reject' && <RejectDialog recovery={open.recovery} onClose={close} />}
    </Section>
  );
}

type RecoveryTableProps = { readonly rows: readonly PlatformRecovery[]; readonly onOpen: (open: Open) => void };

function RecoveryTable({ rows, onOpen }: RecoveryTableProps) {
  const columns: readonly Column<PlatformRecovery>[] = [
    { key: 'email', header: 'Email', cell: ({ email }) => <span class="strong">{email}</span> },
    { key: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    { key: 'at', header: 'Requested', cell: ({ requested_at }) => <Time at={requested_at} /> },
    {
      key: 'approvals',
      header: 'Approved by',
      cell: ({ approvals }) => approvals.map(({ email }) => email).join(', ') || <span class="muted">Nobody</span>,
    },
    {
      key: 'usable',
      header: 'Usable from',
      cell: ({ usable_from }) => <Time at={usable_from} />,
    },
    {
      key: 'actions',
      header: 'Actions',
      isHeaderHidden: true,
      align: 'end',
      cell: (recovery) =>
        recovery.open && (
          <RowActions>
            <Button size="small" onClick={() => onOpen({ decision: 'approve', recovery })}>
              Approve
            </Button>
            <Button size="small" tone="quiet" onClick={() => onOpen({ decision: 'reject', recovery })}>
              Reject
            </Button>
          </RowActions>
        ),
    },
  ];
  return <Table label="Recoveries" columns={columns} rows={rows} rowKey={({ id }) => id} />;
}

const onDecided = (text: string, onClose: () => void) => () => {
  invalidate('platform-recoveries', 'platform-audit');
  showToast(text);
  onClose();
};

type DialogProps = { readonly recovery: PlatformRecovery; readonly onClose: () => void };

const ApproveDialog = ({ recovery: { id, email, requested_at }, onClose }: DialogProps) => (
  <ConfirmDialog
    title={`Approve the recovery of ${email}?`}
    confirm="Approve recovery"
    tone="danger"
    input={{ requested_at }}
    send={(api, input, options) => api.platform.approveAccountRecovery(id, input, options)}
    onDone={onDecided(`The recovery of ${email} is approved.`, onClose)}
    onClose={onClose}
  >
    <p>
      After the waiting time they can turn off their second factor with a mailed link. You have talked to them, at a
      number that you knew before.
    </p>
  </ConfirmDialog>
);

function RejectDialog({ recovery: { id, email, requested_at }, onClose }: DialogProps) {
  const [reason, setReason] = useState('');
  return (
    <ConfirmDialog
      title={`Reject the recovery of ${email}?`}
      confirm="Reject recovery"
      tone="danger"
      input={reason.trim() === '' ? undefined : { requested_at, reason: reason.trim() }}
      send={(api, input, options) => api.platform.rejectAccountRecovery(id, input, options)}
      onDone={onDecided(`The recovery of ${email} is rejected.`, onClose)}
      onClose={onClose}
    >
      <p>They are told by mail, and can request another one.</p>
      <Textarea label="Reason" value={reason} onValue={setReason} maxLength={500} />
    </ConfirmDialog>
  );
}
