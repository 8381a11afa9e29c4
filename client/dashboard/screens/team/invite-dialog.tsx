import { useState } from 'preact/hooks';
import { fieldError } from '#client/dashboard/api/api-problem.ts';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { grantableRoles } from '#client/dashboard/screens/team/member-rights.ts';
import { TEAM } from '#client/dashboard/screens/team/team.catalog.ts';
import { type Role, useSession } from '#client/dashboard/shell/session.tsx';
import { Radios } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { Member } from '#client/typescript/src/index.ts';

/** `again`: whose invitation is sent again. */
type InviteDialogProps = { readonly again?: Member; readonly onClose: () => void };

export function InviteDialog({ again, onClose }: InviteDialogProps) {
  const texts = useMessages(TEAM);
  const [email, setEmail] = useState(again?.email ?? '');
  const [role, setRole] = useState<Role>(again?.role ?? 'member');
  const input = email.trim() === '' ? undefined : { email: email.trim(), role };
  return (
    <ConfirmDialog
      title={again ? texts.inviteAgain(again.email) : texts.inviteTitle}
      confirm={texts.invite}
      input={input}
      send={(api, sent, options) => api.team.addMember(sent, options)}
      onDone={(member) => {
        invalidate('members', 'member-names');
        showToast(texts.inviteDone(member.email));
        onClose();
      }}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <p>{texts.inviteHint}</p>
          {!again && (
            <Input
              type="email"
              label={texts.email}
              value={email}
              onValue={setEmail}
              maxLength={254}
              error={fieldError(problem, 'email')}
            />
          )}
          {!again && <RoleChoice role={role} onRole={setRole} />}
        </>
      )}
    </ConfirmDialog>
  );
}

type RoleDialogProps = { readonly member: Member; readonly onClose: () => void };

export function RoleDialog({ member: { email, role: before }, onClose }: RoleDialogProps) {
  const texts = useMessages(TEAM);
  const [role, setRole] = useState<Role>(before);
  return (
    <ConfirmDialog
      title={texts.changeRole(email)}
      confirm={texts.saveRole}
      input={role === before ? undefined : { email, role }}
      send={(api, sent, options) => api.team.addMember(sent, options)}
      onDone={() => {
        invalidate('members', 'audit');
        showToast(texts.roleChanged(email));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{texts.changeRoleHint}</p>
      <RoleChoice role={role} onRole={setRole} />
    </ConfirmDialog>
  );
}

type RoleChoiceProps = { readonly role: Role; readonly onRole: (role: Role) => void };

function RoleChoice({ role, onRole }: RoleChoiceProps) {
  const texts = useMessages(TEAM);
  const own = useSession().organization?.role ?? 'viewer';
  return (
    <Radios<Role>
      label={texts.role}
      value={role}
      onValue={onRole}
      options={grantableRoles(own).map((value) => ({
        value,
        label: texts.roles[value],
        hint: texts.roleHints[value],
      }))}
    />
  );
}
