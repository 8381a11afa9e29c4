import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { DISPUTES } from '#client/dashboard/screens/disputes/disputes.catalog.ts';
import { isEvidenceName } from '#client/dashboard/screens/disputes/evidence-fields.ts';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { Dispute, DisputeEvidence } from '#client/typescript/src/generated/schemas.ts';

type SubmitProps = {
  readonly dispute: Dispute;
  readonly evidence: DisputeEvidence;
  readonly onDone: () => void;
  readonly onClose: () => void;
};

export function SubmitDialog({ dispute, evidence, onDone, onClose }: SubmitProps) {
  const texts = useMessages(DISPUTES);
  const names = Object.keys(evidence).map((name) => (isEvidenceName(name) ? texts.evidence[name] : name));
  return (
    <ConfirmDialog
      title={texts.submitTitle}
      confirm={texts.submit}
      input={evidence}
      send={(api, input, options) => api.disputes.submitEvidence(dispute.id, input, options)}
      onDone={() => {
        invalidateDispute();
        showToast(texts.submitted);
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <p>{texts.submitText(providerName(dispute.provider))}</p>
      <p>
        {texts.submitFields}: <strong>{names.join(', ')}</strong>
      </p>
    </ConfirmDialog>
  );
}

/** What shows a dispute, or counts it. */
export const invalidateDispute = (): void => invalidate('dispute', 'disputes', 'attention', 'payment', 'timeline');
