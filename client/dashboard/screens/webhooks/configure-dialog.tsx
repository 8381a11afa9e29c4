import { useState } from 'preact/hooks';
import { fieldError } from '#client/dashboard/api/api-problem.ts';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { EVENT_TYPES, type EventType, isEventType } from '#client/dashboard/screens/webhooks/event-types.ts';
import { Checkbox, Radios } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog, type FieldsProps } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { ConfigureWebhook, WebhookConfig } from '#client/typescript/src/index.ts';

type ConfigureProps = { readonly config: WebhookConfig | null; readonly onClose: () => void };

type Draft = {
  readonly url: string;
  readonly which: 'all' | 'some';
  readonly types: readonly EventType[];
  readonly enabled: boolean;
};

const draftOf = (config: WebhookConfig | null): Draft => ({
  url: config?.url ?? '',
  which: !config || config.events.includes('*') ? 'all' : 'some',
  types: config?.events.filter(isEventType) ?? [],
  enabled: config?.enabled ?? true,
});

/** Undefined while something is missing. */
function inputOf({ url, which, types, enabled }: Draft): ConfigureWebhook | undefined {
  const events: ConfigureWebhook['events'] = which === 'all' ? ['*'] : types;
  return url.trim() === '' || events.length === 0 ? undefined : { url: url.trim(), events, enabled };
}

/** A save replaces the whole configuration; only the secret stays. */
export function ConfigureDialog({ config, onClose }: ConfigureProps) {
  const [draft, setDraft] = useState(() => draftOf(config));
  return (
    <ConfirmDialog
      title={config ? 'Edit endpoint' : 'Add endpoint'}
      confirm="Save endpoint"
      size="wide"
      input={inputOf(draft)}
      send={(api, input, options) => api.webhooks.saveConfig(input, options)}
      onDone={() => {
        invalidate('webhook-config', 'webhook-audit', 'attention');
        showToast('The endpoint was saved.');
        onClose();
      }}
      onClose={onClose}
    >
      {(problem) => <Fields {...{ draft, problem }} change={(part) => setDraft({ ...draft, ...part })} />}
    </ConfirmDialog>
  );
}

const WHICH = [
  { value: 'all', label: 'All events', hint: 'Also types that are added later.' },
  { value: 'some', label: 'Only these' },
] as const;

const Fields = ({ draft: { url, which, types, enabled }, problem, change }: FieldsProps<Draft>) => (
  <>
    <p>The change counts for every event that happens after it. Retries of earlier ones follow it too.</p>
    <Input
      label="URL"
      type="url"
      value={url}
      placeholder="https://shop.example/webhooks/payfork"
      hint="https on port 443 or 8443, reachable from the internet. Redirects are not followed."
      error={fieldError(problem, 'url')}
      required
      onValue={(value) => change({ url: value })}
    />
    <Radios label="Events" value={which} options={WHICH} onValue={(value) => change({ which: value })} />
    {which === 'some' && <TypeChoice types={types} onTypes={(chosen) => change({ types: chosen })} />}
    <Checkbox
      label="Enabled"
      isChecked={enabled}
      onChecked={(isOn) => change({ enabled: isOn })}
      hint="While webhooks are disabled, events are kept as failed and can be replayed."
    />
  </>
);

type TypeChoiceProps = {
  readonly types: readonly EventType[];
  readonly onTypes: (types: readonly EventType[]) => void;
};

const TypeChoice = ({ types, onTypes }: TypeChoiceProps) => (
  <fieldset class="event-types">
    <legend class="visually-hidden">Types of events</legend>
    {EVENT_TYPES.map(({ value, meaning }) => (
      <Checkbox
        key={value}
        label={<code>{value}</code>}
        hint={meaning}
        isChecked={types.includes(value)}
        onChecked={(isChosen) => onTypes(isChosen ? [...types, value] : types.filter((type) => type !== value))}
      />
    ))}
  </fieldset>
);
