import { useState } from 'preact/hooks';
import { fieldError } from '#client/dashboard/api/api-problem.ts';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Badge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Radios } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { type Column, RowActions, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { PlatformAdmin } from '#client/typescript/src/index.ts';

type Role = PlatformAdmin['role'];

const ROLES = [
  { value: 'platform_admin', label: 'Administrator', hint: 'Decides about organizations and recoveries.' },
  { value: 'platform_owner', label: 'Owner', hint: 'Also names administrators.' },
] as const;

const labelOf = (role: Role): string => ROLES.find(({ value }) => value === role)?.label ?? role;

type Open = { readonly admin?: PlatformAdmin; readonly isRemoval?: boolean };

/** Only owners of the platform see them. */
export function Administrators() {
  const [open, setOpen] = useState<Open>();
  const pages = usePages(['platform-admins'], (api, options) => api.platform.listAdmins({}, options));
  const close = () => setOpen(undefined);
  return (
    <Section
      title="Administrators"
      description="They need a second factor, and each change needs a fresh proof of who they are."
      actions={
        <Button tone="primary" icon="plus" onClick={() => setOpen({})}>
          Add administrator
        </Button>
      }
    >
      <PagedList pages={pages} empty={null}>
        {(rows) => <AdminTable rows={rows} onOpen={setOpen} />}
      </PagedList>
      {open?.isRemoval && open.admin && <RemoveDialog admin={open.admin} onClose={close} />}
      {open && !open.isRemoval && <SaveDialog admin={open.admin} onClose={close} />}
    </Section>
  );
}

type AdminTableProps = { readonly rows: readonly PlatformAdmin[]; readonly onOpen: (open: Open) => void };

function AdminTable({ rows, onOpen }: AdminTableProps) {
  const { user } = useSession();
  const columns: readonly Column<PlatformAdmin>[] = [
    {
      key: 'email',
      header: 'Email',

      cell: ({ id, email }) => (
        <span class="row">
          <span class="strong">{email}</span>
          {id === user.id && <Badge>you</Badge>}
        </span>
      ),
    },
    { key: 'role', header: 'Role', cell: ({ role }) => labelOf(role) },
    { key: 'since', header: 'Since', cell: ({ created_at }) => <Time at={created_at} as="date" /> },
    {
      key: 'actions',
      header: 'Actions',
      isHeaderHidden: true,
      align: 'end',
      cell: (admin) => (
        <RowActions>
          <Button
            size="small"
            tone="quiet"
            icon="edit"
            label={`Change ${admin.email}`}
            onClick={() => onOpen({ admin })}
          />
          <Button
            size="small"
            tone="quiet"
            icon="trash"
            label={`Remove ${admin.email}`}
            onClick={() => onOpen({ admin, isRemoval: true })}
          />
        </RowActions>
      ),
    },
  ];
  return <Table label="Administrators" columns={columns} rows={rows} rowKey={({ id }) => id} />;
}

const onSaved = (text: string, onClose: () => void) => () => {
  invalidate('platform-admins', 'platform-audit', 'platform-me');
  showToast(text);
  onClose();
};

type SaveDialogProps = { readonly admin?: PlatformAdmin | undefined; readonly onClose: () => void };

function SaveDialog({ admin, onClose }: SaveDialogProps) {
  const [email, setEmail] = useState(admin?.email ?? '');
  const [role, setRole] = useState<Role>(admin?.role ?? 'platform_admin');
  return (
    <ConfirmDialog
      title={admin ? `Change ${admin.email}` : 'Add an administrator'}
      confirm={admin ? 'Change role' : 'Add administrator'}
      input={email.trim() === '' || role === admin?.role ? undefined : { email: email.trim(), role }}
      send={(api, input, options) => api.platform.saveAdmin(input, options)}
      onDone={onSaved(`${email.trim()} is ${labelOf(role).toLowerCase()} of the platform.`, onClose)}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <p>They decide about every organization of this installation.</p>
          {!admin && (
            <Input
              type="email"
              label="Email"
              value={email}
              onValue={setEmail}
              maxLength={254}
              error={fieldError(problem, 'email')}
            />
          )}
          <Radios<Role> label="Role" value={role} onValue={setRole} options={ROLES} />
        </>
      )}
    </ConfirmDialog>
  );
}

type RemoveDialogProps = { readonly admin: PlatformAdmin; readonly onClose: () => void };

const RemoveDialog = ({ admin: { id, email }, onClose }: RemoveDialogProps) => (
  <ConfirmDialog
    title={`Remove ${email}?`}
    confirm="Remove administrator"
    tone="danger"
    input={{}}
    send={(api, _, options) => api.platform.removeAdmin(id, {}, options)}
    onDone={onSaved(`${email} is removed.`, onClose)}
    onClose={onClose}
  >
    <p>They keep their account and their organizations, and lose the platform with their next request.</p>
  </ConfirmDialog>
);
