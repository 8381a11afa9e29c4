import { useState } from 'preact/hooks';
import {
  accountOf,
  type CredentialsDraft,
  credentialsOf,
} from '#client/dashboard/screens/connections/credential-fields.ts';
import { CredentialsForm } from '#client/dashboard/screens/connections/credentials-form.tsx';
import {
  forgetConnections,
  saveAndValidate,
  tellValidation,
} from '#client/dashboard/screens/connections/save-connection.ts';
import { TestCredentials } from '#client/dashboard/screens/connections/test-credentials.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import type { Connection } from '#client/typescript/src/index.ts';

type ExchangeProps = { readonly connection: Connection; readonly onClose: () => void };

/** New credentials replace all of the old ones. Which those are, nobody can see. */
export function ExchangeCredentials({ connection: { id, provider }, onClose }: ExchangeProps) {
  const [draft, setDraft] = useState<CredentialsDraft>({});
  const credentials = credentialsOf(provider, draft);
  return (
    <ConfirmDialog
      title={`Exchange the credentials of ${providerName(provider)}`}
      confirm="Exchange credentials"
      size="wide"
      input={credentials && { id, credentials }}
      send={saveAndValidate}
      onDone={(saved) => {
        forgetConnections();
        tellValidation(saved);
        onClose();
      }}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <p>
            They replace all of the current ones, also those that you leave empty here. New payments use them at once.
            Earlier payments keep the old ones for their refunds and callbacks, for 30 days.
          </p>
          <CredentialsForm provider={provider} draft={draft} onDraft={setDraft} problem={problem} />
          <TestCredentials input={accountOf(provider, draft)} />
        </>
      )}
    </ConfirmDialog>
  );
}
