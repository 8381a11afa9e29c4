import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { DISPUTES } from '#client/dashboard/screens/disputes/disputes.catalog.ts';
import { invalidateDispute } from '#client/dashboard/screens/disputes/submit-dialog.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { Dispute } from '#client/typescript/src/generated/schemas.ts';

/** The shop gives in. */
export function AcceptDialog({ dispute, onClose }: { readonly dispute: Dispute; readonly onClose: () => void }) {
  const texts = useMessages(DISPUTES);
  const amount = useFormats().money(dispute.amount, dispute.currency);
  return (
    <ConfirmDialog
      title={texts.acceptTitle}
      confirm={texts.accept}
      tone="danger"
      input={{}}
      send={(api, input, options) => api.disputes.accept(dispute.id, input, options)}
      onDone={() => {
        invalidateDispute();
        showToast(texts.accepted);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{texts.acceptText(amount, providerName(dispute.provider))}</p>
      <p>{texts.acceptFinal}</p>
    </ConfirmDialog>
  );
}
