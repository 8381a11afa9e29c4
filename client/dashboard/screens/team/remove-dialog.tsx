import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { TEAM } from '#client/dashboard/screens/team/team.catalog.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { Member } from '#client/typescript/src/index.ts';

type RemoveDialogProps = { readonly member: Member; readonly onClose: () => void };

/** Removes a member; for one's own line: leaves the organization. */
export function RemoveDialog({ member: { id, email }, onClose }: RemoveDialogProps) {
  const texts = useMessages(TEAM);
  const { user, organization, reloadSession } = useSession();
  const isSelf = id === user.id;
  return (
    <ConfirmDialog
      title={isSelf ? texts.leaveTitle(organization?.name ?? '') : texts.removeTitle(email)}
      confirm={isSelf ? texts.leave : texts.removeConfirm}
      tone="danger"
      input={{}}
      send={(api, _, options) => api.team.removeMember(id, {}, options)}
      onDone={() => {
        onClose();
        if (isSelf) {
          reloadSession();
          return;
        }
        invalidate('members', 'member-names', 'audit');
        showToast(texts.removed(email));
      }}
      onClose={onClose}
    >
      <p>{isSelf ? texts.leaveHint : texts.removeHint}</p>
    </ConfirmDialog>
  );
}
