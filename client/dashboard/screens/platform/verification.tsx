import { useState } from 'preact/hooks';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { Button } from '#client/dashboard/ui/button.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Textarea } from '#client/dashboard/ui/field.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { Empty } from '#client/dashboard/ui/states.tsx';
import { type Column, RowActions, Table } from '#client/dashboard/ui/table.tsx';
import { Nothing, Time } from '#client/dashboard/ui/time.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import { Id } from '#client/dashboard/ui/values.tsx';
import type { PlatformOrganization } from '#client/typescript/src/index.ts';

type Open = { readonly decision: 'approve' | 'reject'; readonly organization: PlatformOrganization };

const EVERY = 60_000;

/** The name that waits for a decision: of a verified organization the one that it wants to have. */
const nameToReview = ({ legal_name, requested_legal_name }: PlatformOrganization): string | null =>
  requested_legal_name ?? legal_name;

/** Organizations whose identity nobody has decided about. */
export function Verification() {
  const [open, setOpen] = useState<Open>();
  const pages = usePages(
    ['platform-organizations', 'pending'],
    (api, options) => api.platform.listOrganizations({ kyc: 'pending' }, options),
    { every: EVERY },
  );
  const renamed = usePages(['platform-organizations', 'approved'], (api, options) =>
    api.platform.listOrganizations({ kyc: 'approved', limit: 200 }, options),
  );
  const waiting = (renamed.data ?? []).filter(({ requested_legal_name }) => requested_legal_name !== null);
  return (
    <>
      <Section
        title="Verification queue"
        description="Production keys of an organization work once its identity is approved. Decide about the legal name that you have checked."
      >
        <PagedList
          pages={pages}
          empty={
            <Empty icon="check" title="Nobody waits">
              New organizations appear here.
            </Empty>
          }
        >
          {(rows) => <Queue label="Verification queue" rows={rows} onOpen={setOpen} />}
        </PagedList>
      </Section>
      {waiting.length > 0 && (
        <Section
          title="New legal names"
          description="Of the 200 newest verified organizations. The current name stays until the new one is approved."
        >
          <Queue label="New legal names" rows={waiting} onOpen={setOpen} />
        </Section>
      )}
      {open && <DecisionDialog open={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

type QueueProps = {
  readonly label: string;
  readonly rows: readonly PlatformOrganization[];
  readonly onOpen: (open: Open) => void;
};

function Queue({ label, rows, onOpen }: QueueProps) {
  const columns: readonly Column<PlatformOrganization>[] = [
    {
      key: 'name',
      header: 'Organization',
      cell: ({ id, name }) => (
        <div>
          <div class="strong">{name}</div>
          <Id id={id} />
        </div>
      ),
    },
    {
      key: 'legal',
      header: 'Legal name',

      cell: (organization) => nameToReview(organization) ?? <span class="muted">Not given yet</span>,
    },
    { key: 'since', header: 'Created', cell: ({ created_at }) => <Time at={created_at} as="relative" /> },
    {
      key: 'actions',
      header: 'Actions',
      isHeaderHidden: true,
      align: 'end',
      cell: (organization) =>
        nameToReview(organization) === null ? (
          <Nothing />
        ) : (
          <RowActions>
            <Button size="small" onClick={() => onOpen({ decision: 'approve', organization })}>
              Approve
            </Button>
            <Button size="small" tone="quiet" onClick={() => onOpen({ decision: 'reject', organization })}>
              Reject
            </Button>
          </RowActions>
        ),
    },
  ];
  return <Table label={label} columns={columns} rows={rows} rowKey={({ id }) => id} />;
}

const onDecided = (text: string, onClose: () => void) => () => {
  invalidate('platform-organizations', 'platform-audit');
  showToast(text);
  onClose();
};

function DecisionDialog({
  open: { decision, organization },
  onClose,
}: {
  readonly open: Open;
  readonly onClose: () => void;
}) {
  return decision === 'approve' ? (
    <ApproveDialog organization={organization} onClose={onClose} />
  ) : (
    <RejectDialog organization={organization} onClose={onClose} />
  );
}

type DialogProps = { readonly organization: PlatformOrganization; readonly onClose: () => void };

function ApproveDialog({ organization, onClose }: DialogProps) {
  const legal_name = nameToReview(organization);
  return (
    <ConfirmDialog
      title={`Approve ${organization.name}?`}
      confirm="Approve identity"
      input={{ org_id: organization.id, legal_name }}
      send={(api, input, options) => api.platform.approveKyc(input, options)}
      onDone={onDecided(`${organization.name} is approved.`, onClose)}
      onClose={onClose}
    >
      <p>
        You confirm that you have verified <strong>{legal_name}</strong>. Its production keys work from now on. If the
        name has changed meanwhile, nothing is approved.
      </p>
    </ConfirmDialog>
  );
}

function RejectDialog({ organization, onClose }: DialogProps) {
  const [reason, setReason] = useState('');
  const legal_name = nameToReview(organization);
  const input = { org_id: organization.id, legal_name, reason: reason.trim() };
  return (
    <ConfirmDialog
      title={`Reject ${organization.name}?`}
      confirm="Reject"
      tone="danger"
      input={reason.trim() === '' ? undefined : input}
      send={(api, sent, options) => api.platform.rejectKyc(sent, options)}
      onDone={onDecided(`${organization.name} is rejected.`, onClose)}
      onClose={onClose}
    >
      <p>
        About the legal name <strong>{legal_name}</strong>. The reason is in the audit log.
      </p>
      <Textarea label="Reason" value={reason} onValue={setReason} maxLength={500} />
    </ConfirmDialog>
  );
}
