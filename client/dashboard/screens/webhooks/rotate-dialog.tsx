import { useState } from 'preact/hooks';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { Radios } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';

export function RotateDialog({ onClose }: { readonly onClose: () => void }) {
  const [which, setWhich] = useState<'both' | 'new'>('both');
  return (
    <ConfirmDialog
      title="Replace the signing secret?"
      confirm="Replace secret"
      tone="danger"
      input={{ expire_previous: which === 'new' }}
      send={(api, input, options) => api.webhooks.rotateSecret(input, options)}
      onDone={() => {
        invalidate('webhook-config', 'webhook-audit');
        showToast('There is a new secret. Add it to your server.');
        onClose();
      }}
      onClose={onClose}
    >
      <p>A new secret is made. Add it to your server beside the old one.</p>
      <Radios
        label="The old secret"
        value={which}
        options={[
          { value: 'both', label: 'Signs for 24 more hours', hint: 'Your server goes on taking events meanwhile.' },
          {
            value: 'new',
            label: 'Ends now',
            hint: 'For a secret that has leaked. Your server refuses events until it knows the new one.',
          },
        ]}
        onValue={setWhich}
      />
    </ConfirmDialog>
  );
}
