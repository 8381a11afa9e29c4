import { useSession } from '#client/dashboard/shell/session.tsx';
import { Alert } from '#client/dashboard/ui/alert.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Code } from '#client/dashboard/ui/code.tsx';
import { Dialog } from '#client/dashboard/ui/dialog.tsx';
import type { CreatedApiKey } from '#client/typescript/src/index.ts';

type NewKeyDialogProps = { readonly created: CreatedApiKey; readonly onClose: () => void };

/** The only time that the key can be read: the browser keeps it nowhere. */
export function NewKeyDialog({ created: { name, key, kind, scopes }, onClose }: NewKeyDialogProps) {
  const { organization } = useSession();
  return (
    <Dialog
      title={`Your new key: ${name}`}
      size="wide"
      footer={
        <Button tone="primary" onClick={onClose}>
          I have stored it
        </Button>
      }
    >
      <div class="stack">
        <Alert tone="warn" title="Copy it now">
          <p>It is shown this once. Keep it where your program reads its secrets, not in its code.</p>
        </Alert>
        <Code label="API key" text={key} />
        {scopes.includes('payments:read') && (
          <div class="stack-small">
            <p>Try it:</p>
            <Code label="First request" text={firstRequest(kind, organization?.id ?? '')} />
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** Without the key itself: examples are pasted into chats. */
const firstRequest = (kind: CreatedApiKey['kind'], orgId: string): string =>
  [
    `curl ${location.origin}/v1/payments?limit=1`,
    ...(kind === 'service'
      ? ['  -H "X-Service-Key: $PAYFORK_KEY"', `  -H "X-Org-Id: ${orgId}"`]
      : ['  -H "Authorization: Bearer $PAYFORK_KEY"']),
  ].join(' \\\n');
