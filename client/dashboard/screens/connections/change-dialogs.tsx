import { useState } from 'preact/hooks';
import { fieldError } from '#client/dashboard/api/api-problem.ts';
import {
  forgetConnections,
  LABELS_HINT,
  labelsIn,
  labelsText,
} from '#client/dashboard/screens/connections/save-connection.ts';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { Connection } from '#client/typescript/src/index.ts';

type DialogProps = { readonly connection: Connection; readonly onClose: () => void };

export function LabelsDialog({ connection: { id, labels }, onClose }: DialogProps) {
  const [text, setText] = useState(labelsText(labels));
  return (
    <ConfirmDialog
      title="Labels"
      confirm="Save labels"
      input={{ labels: labelsIn(text) }}
      send={(api, input, options) => api.connections.setLabels(id, input, options)}
      onDone={() => {
        forgetConnections();
        showToast('The labels are saved.');
        onClose();
      }}
      onClose={onClose}
    >
      {(problem) => (
        <Input label="Labels" hint={LABELS_HINT} value={text} onValue={setText} error={fieldError(problem, 'labels')} />
      )}
    </ConfirmDialog>
  );
}

/** Says what happens to payments, before it does. */
export function StatusDialog({ connection: { id, provider, status }, onClose }: DialogProps) {
  const name = providerName(provider);
  const isActive = status === 'active';
  return (
    <ConfirmDialog
      title={isActive ? `Deactivate ${name}` : `Activate ${name}`}
      confirm={isActive ? 'Deactivate' : 'Activate'}
      tone={isActive ? 'danger' : 'primary'}
      input={{ status: isActive ? ('inactive' as const) : ('active' as const) }}
      send={(api, input, options) => api.connections.setStatus(id, input, options)}
      onDone={() => {
        forgetConnections();
        showToast(isActive ? `${name} takes no new payments now.` : `${name} takes payments now.`);
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        {isActive
          ? 'No new payment goes there from now on; routing takes the next connection, and fails where there is none. Refunds, captures and callbacks of earlier payments go on.'
          : 'Routing sends payments there from now on, where its rules allow it.'}
      </p>
    </ConfirmDialog>
  );
}

export function DeleteDialog({
  connection: { id, provider },
  onClose,
  onDeleted,
}: DialogProps & { readonly onDeleted: () => void }) {
  return (
    <ConfirmDialog
      title={`Delete ${providerName(provider)}`}
      confirm="Delete connection"
      tone="danger"
      input={{}}
      send={(api, _, options) => api.connections.delete(id, {}, options)}
      onDone={() => {
        forgetConnections();
        showToast('The connection is deleted.');
        onDeleted();
      }}
      onClose={onClose}
    >
      <p>
        It takes no new payment, and leaves this list. Its earlier payments can be refunded for 30 days; then its
        credentials are deleted. A deleted connection cannot be brought back.
      </p>
    </ConfirmDialog>
  );
}
