import { useState } from 'preact/hooks';
import { type ApiProblem, fieldError } from '#client/dashboard/api/api-problem.ts';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import {
  creationOf,
  draftOf,
  type IntegrationDraft,
  inputOf,
  updateOf,
} from '#client/dashboard/screens/workflows/integration-input.ts';
import { Checkbox, Radios } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input, Textarea } from '#client/dashboard/ui/field.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { Integration } from '#client/typescript/src/generated/schemas.ts';

type IntegrationDialogProps = { readonly integration?: Integration; readonly onClose: () => void };

/** What is typed in goes to the API and nowhere else: secrets are kept in no address and no storage. */
export function IntegrationDialog({ integration, onClose }: IntegrationDialogProps) {
  const [draft, setDraft] = useState(() => draftOf(integration));
  return (
    <ConfirmDialog
      title={integration ? `Change ${integration.name}` : 'New integration'}
      confirm={integration ? 'Save' : 'Create integration'}
      input={inputOf(draft, integration)}
      send={(api, input, options) =>
        integration
          ? api.workflows.updateIntegration(integration.id, updateOf(input), options)
          : api.workflows.createIntegration(creationOf(input), options)
      }
      onDone={() => {
        invalidate('workflows');
        showToast('The integration was saved.');
        onClose();
      }}
      onClose={onClose}
    >
      {(problem) => <IntegrationFields {...{ draft, setDraft, problem }} isNew={integration === undefined} />}
    </ConfirmDialog>
  );
}

type FieldsProps = {
  readonly draft: IntegrationDraft;
  readonly setDraft: (draft: IntegrationDraft) => void;
  readonly problem: ApiProblem | undefined;
  readonly isNew: boolean;
};

const TYPES = [
  { value: 'http', label: 'Your own server', hint: 'Requests are signed, as webhooks are.' },
  { value: 'slack', label: 'Slack channel', hint: 'Or a service that takes the same messages.' },
  { value: 'email', label: 'Email to your people' },
] as const;

function IntegrationFields({ draft, setDraft, problem, isNew }: FieldsProps) {
  const { type, enabled } = draft;
  const field = (name: 'name' | 'url' | 'headers' | 'to', path: string = name) => ({
    value: draft[name],
    onValue: (value: string) => setDraft({ ...draft, [name]: value }),
    error: fieldError(problem, path),
  });
  return (
    <>
      <Input label="Name" maxLength={200} {...field('name')} />
      {isNew && (
        <Radios label="Type" value={type} options={TYPES} onValue={(next) => setDraft({ ...draft, type: next })} />
      )}
      {type !== 'email' && <AddressField isSecret={type === 'slack' && !isNew} {...field('url', 'config.url')} />}
      {type === 'http' && (
        <Textarea
          label="Headers"
          isOptional
          isCode
          rows={3}
          placeholder="authorization: Bearer …"
          hint={
            isNew
              ? 'One a line. Values are never shown again.'
              : 'Empty: those that are stored stay. Otherwise all are replaced.'
          }
          {...field('headers', 'config.headers')}
        />
      )}
      {type === 'email' && <Input label="Addresses" placeholder="finance@shop.example" {...field('to', 'config.to')} />}
      <Checkbox label="Enabled" isChecked={enabled} onChecked={(next) => setDraft({ ...draft, enabled: next })} />
    </>
  );
}

type AddressProps = {
  readonly isSecret: boolean;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error: string | undefined;
};

const AddressField = ({ isSecret, ...field }: AddressProps) => (
  <Input
    label="Address"
    type="url"
    placeholder="https://"
    {...(isSecret && { hint: 'Empty: the stored address stays. It is a secret, so it is not shown.' })}
    {...field}
  />
);
