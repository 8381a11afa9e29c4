import { type ApiProblem, fieldError } from '#client/dashboard/api/api-problem.ts';
import {
  CREDENTIAL_FIELDS,
  type CredentialField,
  type CredentialsDraft,
  FORMER,
  type Provider,
} from '#client/dashboard/screens/connections/credential-fields.ts';
import { Input } from '#client/dashboard/ui/field.tsx';

type CredentialsFormProps = {
  readonly provider: Provider;
  readonly draft: CredentialsDraft;
  readonly onDraft: (draft: CredentialsDraft) => void;
  readonly problem: ApiProblem | undefined;
};

/** The fields of a provider's credentials. Secrets are typed unseen, and a browser is asked not to keep them. */
export const CredentialsForm = ({ provider, draft, onDraft, problem }: CredentialsFormProps) => (
  <>
    {CREDENTIAL_FIELDS[provider].flatMap((field) => [
      <CredentialInput
        key={field.name}
        {...{ field, draft, onDraft, problem }}
        name={field.name}
        label={field.label}
      />,
      field.rotates && draft[field.name] && (
        <CredentialInput
          key={field.name + FORMER}
          field={{ ...field, isOptional: true, hint: 'While the provider still signs with it.' }}
          {...{ draft, onDraft, problem }}
          name={field.name + FORMER}
          label={`${field.label} before this one`}
        />
      ),
    ])}
  </>
);

type CredentialInputProps = Omit<CredentialsFormProps, 'provider'> & {
  readonly field: CredentialField;
  readonly name: string;
  readonly label: string;
};

function CredentialInput({ field, name, label, draft, onDraft, problem }: CredentialInputProps) {
  return (
    <Input
      label={label}
      hint={field.hint}
      isOptional={field.isOptional}
      type={field.isSecret ? 'password' : 'text'}
      autocomplete={field.isSecret ? 'new-password' : 'off'}
      value={draft[name] ?? ''}
      onValue={(value) => onDraft({ ...draft, [name]: value })}
      error={fieldError(problem, `credentials.${field.name}`)}
    />
  );
}
