import { useState } from 'preact/hooks';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { Checkbox } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { ListedApiKey } from '#client/typescript/src/index.ts';

type RevokeKeyDialogProps = { readonly apiKey: ListedApiKey; readonly onClose: () => void };

export function RevokeKeyDialog({ apiKey: { id, name, last_used_at }, onClose }: RevokeKeyDialogProps) {
  const [descendants, setDescendants] = useState(false);
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      confirm="Revoke key"
      tone="danger"
      input={{ descendants: descendants ? 'true' : 'false' } as const}
      send={(api, input, options) => api.apiKeys.revoke(id, input, options)}
      onDone={({ revoked_descendants = [] }) => {
        invalidate('api-keys', 'key-names', 'audit');
        const more = revoked_descendants.length;
        showToast(more === 0 ? `${name} is revoked.` : `${name} and ${more} more are revoked.`);
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        Requests with this key fail from now on. This cannot be undone.{' '}
        {last_used_at ? (
          <>
            It was last used <Time at={last_used_at} as="relative" />.
          </>
        ) : (
          'It was never used.'
        )}
      </p>
      <Checkbox
        label="Also revoke keys that it created"
        hint="For a key that others may have read: they can have created keys of their own with it."
        isChecked={descendants}
        onChecked={setDescendants}
      />
    </ConfirmDialog>
  );
}
