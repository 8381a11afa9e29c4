import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { ApprovalFacts } from '#client/dashboard/screens/approvals/approval-facts.tsx';
import { APPROVALS } from '#client/dashboard/screens/approvals/approvals.catalog.ts';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { AgentApproval } from '#client/typescript/src/generated/schemas.ts';

export type Decision = { readonly approval: AgentApproval; readonly isApproved: boolean };

/** Says what will happen, and to what. Nothing runs by it: the agent repeats its request. */
export function DecisionDialog({ approval, isApproved, onClose }: Decision & { readonly onClose: () => void }) {
  const texts = useMessages(APPROVALS);
  return (
    <ConfirmDialog
      title={isApproved ? texts.approveTitle : texts.rejectTitle}
      confirm={isApproved ? texts.approve : texts.reject}
      tone={isApproved ? 'primary' : 'danger'}
      input={{}}
      send={({ agents }, input, options) =>
        isApproved
          ? agents.approveRequest(approval.id, input, options)
          : agents.rejectRequest(approval.id, input, options)
      }
      onDone={() => {
        invalidate('approvals', 'approval', 'attention', 'audit');
        showToast(isApproved ? texts.approved : texts.rejected);
        onClose();
      }}
      onClose={onClose}
    >
      <ApprovalFacts approval={approval} />
      <p>{isApproved ? texts.approveText : texts.rejectText}</p>
    </ConfirmDialog>
  );
}
