import { useState } from 'preact/hooks';
import type { ApiProblem } from '#client/dashboard/api/api-problem.ts';
import { fieldError } from '#client/dashboard/api/api-problem.ts';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { useTemplates } from '#client/dashboard/screens/workflows/use-definitions.ts';
import { RULE_EVENTS, type RuleEvent } from '#client/dashboard/screens/workflows/workflow-events.ts';
import { Checkbox, Select } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { WorkflowRule } from '#client/typescript/src/generated/schemas.ts';

type Draft = {
  readonly name: string;
  readonly event: string;
  readonly condition: string;
  readonly template_id: string;
  readonly priority: string;
  readonly enabled: boolean;
};

const draftOf = (rule: WorkflowRule | undefined): Draft => ({
  name: rule?.name ?? '',
  event: rule?.event ?? 'payment.succeeded',
  condition: rule?.condition ?? '',
  template_id: rule?.template_id ?? '',
  priority: String(rule?.priority ?? 0),
  enabled: rule?.enabled ?? true,
});

function inputOf(draft: Draft) {
  const { name, event, condition, template_id, priority, enabled } = draft;
  const isComplete = name.trim() !== '' && template_id !== '' && /^-?\d+$/.test(priority.trim());
  if (!isComplete || !isRuleEvent(event)) return undefined;
  const rule = { name: name.trim(), event, template_id, priority: Number(priority), enabled };
  return { ...rule, condition: condition.trim() || null };
}

const isRuleEvent = (event: string): event is RuleEvent => RULE_EVENTS.some((each) => each === event);

type RuleDialogProps = { readonly rule?: WorkflowRule; readonly onClose: () => void };

export function RuleDialog({ rule, onClose }: RuleDialogProps) {
  const [draft, setDraft] = useState(() => draftOf(rule));
  return (
    <ConfirmDialog
      title={rule ? `Change ${rule.name}` : 'New rule'}
      confirm={rule ? 'Save' : 'Create rule'}
      input={inputOf(draft)}
      send={(api, input, options) =>
        rule ? api.workflows.updateRule(rule.id, input, options) : api.workflows.createRule(withoutNull(input), options)
      }
      onDone={() => {
        invalidate('workflows');
        showToast('The rule was saved.');
        onClose();
      }}
      onClose={onClose}
    >
      {(problem) => <RuleFields {...{ draft, setDraft, problem }} />}
    </ConfirmDialog>
  );
}

/** A new rule says that it has no condition by leaving it out. */
const withoutNull = <T extends { readonly condition: string | null }>({ condition, ...rest }: T) => ({
  ...rest,
  ...(condition !== null && { condition }),
});

type FieldsProps = {
  readonly draft: Draft;
  readonly setDraft: (draft: Draft) => void;
  readonly problem: ApiProblem | undefined;
};

function RuleFields({ draft, setDraft, problem }: FieldsProps) {
  const templates = useTemplates();
  const options = [{ value: '', label: 'Choose a template' }];
  const field = <K extends keyof Draft>(name: K) => ({
    value: draft[name],
    onValue: (value: Draft[K]) => setDraft({ ...draft, [name]: value }),
    error: fieldError(problem, name),
  });
  return (
    <>
      <p>It applies to events from now on. Nothing runs for events that have happened.</p>
      <Input label="Name" maxLength={200} {...field('name')} />
      <Select label="Event" options={RULE_EVENTS.map((value) => ({ value, label: value }))} {...field('event')} />
      <Input
        label="Condition"
        isOptional
        placeholder="data.amount >= 10000"
        hint="An expression over event and data. Empty: every event of this type."
        {...field('condition')}
      />
      <Select
        label="Runs the template"
        options={[...options, ...(templates.data ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
        {...field('template_id')}
      />
      <Input
        label="Priority"
        type="number"
        hint="If one event matches several rules, higher ones go first."
        {...field('priority')}
      />
      <Checkbox label="Enabled" isChecked={draft.enabled} onChecked={(enabled) => setDraft({ ...draft, enabled })} />
    </>
  );
}
