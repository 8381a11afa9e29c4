import { useState } from 'preact/hooks';
import { type ApiProblem, fieldError } from '#client/dashboard/api/api-problem.ts';
import {
  accountOf,
  CREDENTIAL_FIELDS,
  type CredentialsDraft,
  type Provider,
} from '#client/dashboard/screens/connections/credential-fields.ts';
import { CredentialsForm } from '#client/dashboard/screens/connections/credentials-form.tsx';
import {
  forgetConnections,
  LABELS_HINT,
  labelsIn,
  saveAndValidate,
  tellValidation,
} from '#client/dashboard/screens/connections/save-connection.ts';
import { TestCredentials } from '#client/dashboard/screens/connections/test-credentials.tsx';
import { Checkbox, Select } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import type { SaveConnection, ValidatedConnection } from '#client/typescript/src/index.ts';

const PROVIDERS = Object.keys(CREDENTIAL_FIELDS) as readonly Provider[];

type AddConnectionProps = { readonly onAdded: (connection: ValidatedConnection) => void; readonly onClose: () => void };

type Draft = {
  readonly provider: Provider;
  readonly credentials: CredentialsDraft;
  readonly labels: string;
  readonly isActive: boolean;
};

const EMPTY: Draft = { provider: 'stripe', credentials: {}, labels: '', isActive: true };

/** A new account at a provider. What is typed is gone when the dialog closes. */
export function AddConnection({ onAdded, onClose }: AddConnectionProps) {
  const [draft, setDraft] = useState(EMPTY);
  return (
    <ConfirmDialog
      title="Add a connection"
      confirm="Add connection"
      size="wide"
      input={inputOf(draft)}
      send={saveAndValidate}
      onDone={(connection) => {
        forgetConnections();
        tellValidation(connection);
        onAdded(connection);
      }}
      onClose={onClose}
    >
      {(problem) => <Fields draft={draft} onDraft={setDraft} problem={problem} />}
    </ConfirmDialog>
  );
}

/** Undefined: a credential is missing. */
function inputOf({ provider, credentials: typed, labels, isActive }: Draft): SaveConnection | undefined {
  const account = accountOf(provider, typed);
  return account && { ...account, labels: labelsIn(labels), status: isActive ? 'active' : 'inactive' };
}

type FieldsProps = {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly problem: ApiProblem | undefined;
};

function Fields({ draft, onDraft, problem }: FieldsProps) {
  const { provider, credentials, labels, isActive } = draft;
  return (
    <>
      <p class="muted">
        An account of your own at a provider. Its credentials are encrypted, and nobody can read them again, here or by
        the API.
      </p>
      <Select
        label="Provider"
        value={provider}
        onValue={(chosen) => onDraft({ ...draft, provider: chosen, credentials: {} })}
        options={PROVIDERS.map((value) => ({ value, label: providerName(value) }))}
      />
      <CredentialsForm
        provider={provider}
        draft={credentials}
        onDraft={(changed) => onDraft({ ...draft, credentials: changed })}
        problem={problem}
      />
      <TestCredentials input={accountOf(provider, credentials)} />
      <Input
        label="Labels"
        isOptional
        hint={LABELS_HINT}
        value={labels}
        onValue={(text) => onDraft({ ...draft, labels: text })}
        error={fieldError(problem, 'labels')}
      />
      <Checkbox
        label="Send payments there at once"
        hint="Otherwise it waits, inactive, until somebody activates it."
        isChecked={isActive}
        onChecked={(checked) => onDraft({ ...draft, isActive: checked })}
      />
    </>
  );
}
