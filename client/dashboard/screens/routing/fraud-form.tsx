import { useState } from 'preact/hooks';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import {
  draftOf,
  type FraudDraft,
  NEW_LIMIT,
  NEW_VELOCITY,
  policyOf,
} from '#client/dashboard/screens/routing/fraud-draft.ts';
import { LimitRows, VelocityRows } from '#client/dashboard/screens/routing/fraud-rows.tsx';
import { LIST_EXAMPLES, LIST_NAMES, LISTS } from '#client/dashboard/screens/routing/fraud-words.ts';
import { Checkbox, Radios } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Textarea } from '#client/dashboard/ui/field.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { FraudPolicy } from '#client/typescript/src/index.ts';

type FormProps = { readonly policy: FraudPolicy; readonly onClose: () => void };

export function FraudForm({ policy, onClose }: FormProps) {
  const [draft, setDraft] = useState(() => draftOf(policy));
  const change = (part: Partial<FraudDraft>): void => setDraft({ ...draft, ...part });
  return (
    <ConfirmDialog
      title="Fraud policy"
      confirm="Save the policy"
      size="wide"
      input={policyOf(draft)}
      send={(api, input, options) => api.policies.saveFraudPolicy(input, options)}
      onDone={({ enabled }) => {
        invalidate('fraud-policy', 'simulation');
        showToast(enabled ? 'The fraud policy is saved, and on.' : 'The fraud policy is saved, and off.');
        onClose();
      }}
      onClose={onClose}
    >
      <p>The next payment is looked at with it. Payments under way are not.</p>
      <Checkbox label="The policy is on" isChecked={draft.enabled} onChecked={(enabled) => change({ enabled })} />
      <Radios
        label="What it finds"
        value={draft.action}
        options={[
          { value: 'block', label: 'Is blocked', hint: 'No provider is asked.' },
          { value: 'flag', label: 'Is flagged', hint: 'The payment goes on, and shows the reasons.' },
        ]}
        onValue={(action) => change({ action })}
      />
      <LimitRows limits={draft.limits} setLimits={(limits) => change({ limits })} fresh={NEW_LIMIT} />
      <VelocityRows velocity={draft.velocity} setVelocity={(velocity) => change({ velocity })} fresh={NEW_VELOCITY} />
      <Lists title="Blocked" lists={draft.blocked} setLists={(blocked) => change({ blocked })} />
      <Lists title="Allowed, whatever else matches" lists={draft.allowed} setLists={(allowed) => change({ allowed })} />
    </ConfirmDialog>
  );
}

type ListsProps = {
  readonly title: string;
  readonly lists: FraudDraft['blocked'];
  readonly setLists: (lists: FraudDraft['blocked']) => void;
};

/** Lists are long and rarely changed: they are closed until somebody opens them. */
const Lists = ({ title, lists, setLists }: ListsProps) => (
  <details>
    <summary>{title}</summary>
    <div class="stack details-fields">
      {LISTS.map((name) => (
        <Textarea
          key={name}
          label={`${title.split(',')[0]} ${LIST_NAMES[name]}`}
          rows={2}
          value={lists[name]}
          placeholder={LIST_EXAMPLES[name]}
          hint="One on each line."
          isOptional
          onValue={(value) => setLists({ ...lists, [name]: value })}
        />
      ))}
    </div>
  </details>
);
