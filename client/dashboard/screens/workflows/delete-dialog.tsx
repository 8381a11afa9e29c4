import { invalidate } from '#client/dashboard/api/query-cache.ts';
import type { Send } from '#client/dashboard/api/use-action.ts';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { Deleted } from '#client/typescript/src/generated/schemas.ts';

type DeleteProps = {
  /** Such as `the rule Large payments`. */
  readonly what: string;
  readonly effect: string;
  readonly send: Send<Record<string, never>, Deleted>;
  readonly onDone?: () => void;
  readonly onClose: () => void;
};

export const DeleteDialog = ({ what, effect, send, onDone, onClose }: DeleteProps) => (
  <ConfirmDialog
    title={`Delete ${what}?`}
    confirm="Delete"
    tone="danger"
    input={{}}
    send={send}
    onDone={() => {
      onDone?.();
      invalidate('workflows');
      showToast('It was deleted.');
      onClose();
    }}
    onClose={onClose}
  >
    <p>{effect}</p>
  </ConfirmDialog>
);
