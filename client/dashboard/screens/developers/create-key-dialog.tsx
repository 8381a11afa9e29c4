import { useState } from 'preact/hooks';
import { fieldError } from '#client/dashboard/api/api-problem.ts';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { isRead, scopeRows } from '#client/dashboard/screens/developers/scopes.ts';
import { type Scope, useSession } from '#client/dashboard/shell/session.tsx';
import { Checkbox, Radios } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { Segments } from '#client/dashboard/ui/tabs.tsx';
import type { CreatedApiKey } from '#client/typescript/src/index.ts';

type Kind = CreatedApiKey['kind'];

const KINDS = [
  { value: 'secret', label: 'Secret', hint: 'For your servers. Sent as a Bearer token.' },
  { value: 'service', label: 'Service', hint: 'For programs that name the organization with each request.' },
  {
    value: 'public',
    label: 'Public',
    hint: 'For web pages and apps. It can only confirm payments; anybody may see it.',
  },
] as const;

type CreateKeyDialogProps = { readonly onDone: (created: CreatedApiKey) => void; readonly onClose: () => void };

export function CreateKeyDialog({ onDone, onClose }: CreateKeyDialogProps) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('secret');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [isAgent, setAgent] = useState(false);
  const secret = { name: name.trim(), kind, scopes, ...(isAgent && { agent: true }) };
  const input = kind === 'public' ? { name: name.trim(), kind } : secret;
  return (
    <ConfirmDialog
      title="Create an API key"
      confirm="Create key"
      size="wide"
      input={name.trim() === '' ? undefined : input}
      send={(api, sent, options) => api.apiKeys.create(sent, options)}
      onDone={(created) => {
        invalidate('api-keys', 'key-names');
        onDone(created);
      }}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <Input
            label="Name"
            hint="What uses it, such as “Shop backend”."
            value={name}
            onValue={setName}
            maxLength={200}
            error={fieldError(problem, 'name')}
          />
          <Radios<Kind> label="Kind" value={kind} onValue={setKind} options={KINDS} />
          {kind !== 'public' && (
            <Checkbox
              label="For an agent"
              hint="A program that decides by itself. It cannot change settings, and above your limits a person has to approve what moves money."
              isChecked={isAgent}
              onChecked={setAgent}
            />
          )}
          {kind !== 'public' && <ScopeChoice chosen={scopes} onChosen={setScopes} />}
        </>
      )}
    </ConfirmDialog>
  );
}

type ScopeChoiceProps = { readonly chosen: readonly Scope[]; readonly onChosen: (scopes: readonly Scope[]) => void };

/** Nobody can give a key more than they may do themselves. */
function ScopeChoice({ chosen, onChosen }: ScopeChoiceProps) {
  const own = useSession().organization?.scopes ?? [];
  const reading = own.filter(isRead);
  const toggle = (scope: Scope, on: boolean) =>
    onChosen(own.filter((each) => (each === scope ? on : chosen.includes(each))));
  return (
    <fieldset class="field plain">
      <legend class="strong">Scopes</legend>
      <Segments
        label="Choose scopes"
        value={presetOf(chosen, own, reading)}
        options={PRESETS}
        onValue={(preset) => onChosen({ none: [], read: reading, all: own, some: chosen }[preset])}
      />
      <div class="scope-grid">
        {scopeRows(own).map((row) => (
          <fieldset key={row.name} class="plain scope-row">
            <legend>{row.name}</legend>
            {row.scopes.map((scope) => (
              <Checkbox
                key={scope}
                label={isRead(scope) ? 'Read' : 'Write'}
                isChecked={chosen.includes(scope)}
                onChecked={(on) => toggle(scope, on)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  );
}

type Preset = 'none' | 'read' | 'all' | 'some';

const PRESETS = [
  { value: 'none', label: 'None' },
  { value: 'read', label: 'Read only' },
  { value: 'all', label: 'All' },
] as const satisfies readonly { readonly value: Preset; readonly label: string }[];

function presetOf(chosen: readonly Scope[], own: readonly Scope[], reading: readonly Scope[]): Preset {
  if (chosen.length === 0) return 'none';
  if (chosen.length === own.length) return 'all';
  return chosen.length === reading.length && chosen.every(isRead) ? 'read' : 'some';
}
