import { useState } from 'preact/hooks';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { InviteDialog, RoleDialog } from '#client/dashboard/screens/team/invite-dialog.tsx';
import { mayChange } from '#client/dashboard/screens/team/member-rights.ts';
import { RemoveDialog } from '#client/dashboard/screens/team/remove-dialog.tsx';
import { TEAM } from '#client/dashboard/screens/team/team.catalog.ts';
import type { TeamMessages } from '#client/dashboard/screens/team/team-messages.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Badge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { type Column, RowActions, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import type { Member } from '#client/typescript/src/index.ts';

type Open = { readonly dialog: 'invite' } | { readonly dialog: 'role' | 'again' | 'remove'; readonly member: Member };

export function Members() {
  const texts = useMessages(TEAM);
  const { isAtLeast } = useSession();
  const [open, setOpen] = useState<Open>();
  const pages = usePages(['members'], (api, options) => api.team.listMembers({}, options));
  const invite = isAtLeast('admin') && (
    <Button tone="primary" icon="plus" onClick={() => setOpen({ dialog: 'invite' })}>
      {texts.invite}
    </Button>
  );
  return (
    <Section title={texts.members} description={texts.membersHint} actions={invite}>
      <PagedList pages={pages} empty={null}>
        {(rows) => <MemberTable rows={rows} onOpen={setOpen} />}
      </PagedList>
      {open && <OpenDialog open={open} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function OpenDialog({ open, onClose }: { readonly open: Open; readonly onClose: () => void }) {
  switch (open.dialog) {
    case 'invite':
      return <InviteDialog onClose={onClose} />;
    case 'again':
      return <InviteDialog again={open.member} onClose={onClose} />;
    case 'role':
      return <RoleDialog member={open.member} onClose={onClose} />;
    case 'remove':
      return <RemoveDialog member={open.member} onClose={onClose} />;
  }
}

type MemberTableProps = { readonly rows: readonly Member[]; readonly onOpen: (open: Open) => void };

function MemberTable({ rows, onOpen }: MemberTableProps) {
  const texts = useMessages(TEAM);
  const { user } = useSession();
  const columns: readonly Column<Member>[] = [
    {
      key: 'email',
      header: texts.email,

      cell: ({ id, email }) => (
        <span class="row">
          <span class="strong">{email}</span>
          {id === user.id && <Badge>{texts.you}</Badge>}
        </span>
      ),
    },
    { key: 'role', header: texts.role, cell: ({ role }) => texts.roles[role] },
    { key: 'status', header: texts.status, cell: (member) => <Status member={member} texts={texts} /> },
    { key: 'joined', header: texts.joined, cell: ({ joined_at }) => <Time at={joined_at} as="date" /> },
    {
      key: 'actions',
      header: texts.actions,
      isHeaderHidden: true,
      align: 'end',
      cell: (member) => <Actions member={member} onOpen={onOpen} />,
    },
  ];
  return <Table label={texts.members} columns={columns} rows={rows} rowKey={({ id }) => id} />;
}

function Status({ member: { status, invited_at }, texts }: { readonly member: Member; readonly texts: TeamMessages }) {
  if (status === 'active')
    return (
      <Badge tone="good" icon="check">
        {texts.active}
      </Badge>
    );
  return (
    <span class="row">
      <Badge tone={invited_at === null ? 'warn' : 'info'} icon={invited_at === null ? 'warning' : 'mail'}>
        {invited_at === null ? texts.notSent : texts.invited}
      </Badge>
      {invited_at !== null && <Time at={invited_at} as="relative" />}
    </span>
  );
}

function Actions({ member, onOpen }: { readonly member: Member; readonly onOpen: (open: Open) => void }) {
  const texts = useMessages(TEAM);
  const { user, organization } = useSession();
  const isSelf = member.id === user.id;
  const isOpen = organization !== undefined && mayChange(organization.role, member);
  if (isSelf)
    return (
      <Button size="small" tone="quiet" onClick={() => onOpen({ dialog: 'remove', member })}>
        {texts.leave}
      </Button>
    );
  if (!isOpen) return null;
  const { email } = member;
  return (
    <RowActions>
      {member.status === 'invited' && (
        <Button
          size="small"
          tone="quiet"
          icon="mail"
          label={texts.inviteAgain(email)}
          onClick={() => onOpen({ dialog: 'again', member })}
        />
      )}
      <Button
        size="small"
        tone="quiet"
        icon="edit"
        label={texts.changeRole(email)}
        onClick={() => onOpen({ dialog: 'role', member })}
      />
      <Button
        size="small"
        tone="quiet"
        icon="trash"
        label={texts.remove(email)}
        onClick={() => onOpen({ dialog: 'remove', member })}
      />
    </RowActions>
  );
}
