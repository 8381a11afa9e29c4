import { useState } from 'preact/hooks';
import { type ApiProblem, fieldError } from '#client/dashboard/api/api-problem.ts';
import { codesIn, countriesError, countriesIn, METHODS } from '#client/dashboard/screens/routing/codes.ts';
import { ReplayCheck } from '#client/dashboard/screens/routing/replay-check.tsx';
import { editedRule } from '#client/dashboard/screens/routing/rule-order.ts';
import { rulesChanged, useConnectionName, useConnections } from '#client/dashboard/screens/routing/use-routing.ts';
import { Checkbox, Radios, Select } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input, Textarea } from '#client/dashboard/ui/field.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { CreateRoutingRule, EditedRoutingRule, RoutingRule } from '#client/typescript/src/index.ts';

type Draft = {
  readonly name: string;
  readonly countries: string;
  readonly methods: string;
  readonly connection: string;
  readonly fallback: boolean;
  /** Of a new rule. One that exists is moved in the list. */
  readonly place: 'first' | 'last';
};

const draftOf = (rule: RoutingRule | undefined): Draft => ({
  name: rule?.name ?? '',
  countries: rule?.countries.join(', ') ?? '',
  methods: rule?.methods.join(', ') ?? '',
  connection: rule?.connection_id ?? '',
  fallback: rule?.fallback_to_default ?? true,
  place: 'last',
});

type RuleFormProps = {
  /** Undefined: a new one. */
  readonly rule?: RoutingRule;
  readonly rules: readonly RoutingRule[];
  readonly onClose: () => void;
};

/** Makes a rule or changes one, and shows before that is saved what it would have done with the last payments. */
export function RuleForm({ rule, rules, onClose }: RuleFormProps) {
  const [draft, setDraft] = useState(() => draftOf(rule));
  const input = inputOf(draft, rule, rules);
  return (
    <ConfirmDialog
      title={rule ? `Edit ${rule.name}` : 'New routing rule'}
      confirm={rule ? 'Save the rule' : 'Create the rule'}
      size="wide"
      input={input}
      send={(api, body, options) =>
        rule ? api.routingRules.update(rule.id, body, options) : api.routingRules.create(body, options)
      }
      onDone={({ name }) => {
        rulesChanged();
        showToast(rule ? `${name} is saved.` : `${name} is created.`);
        onClose();
      }}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <Fields {...{ draft, problem }} isNew={!rule} change={(part) => setDraft({ ...draft, ...part })} />
          {input && <ReplayCheck rules={rulesWith(rules, rule, input, draft.place)} />}
        </>
      )}
    </ConfirmDialog>
  );
}

const MAX_PRIORITY = 1_000_000;

/** Undefined while something is missing or wrong. */
function inputOf(
  draft: Draft,
  rule: RoutingRule | undefined,
  rules: readonly RoutingRule[],
): CreateRoutingRule | undefined {
  const { name, connection, fallback, place } = draft;
  const countries = countriesIn(draft.countries);
  if (!name.trim() || !connection || countries.length === 0 || countriesError(draft.countries)) return undefined;
  const body = { name: name.trim(), countries, methods: codesIn(draft.methods), connection_id: connection };
  return { ...body, fallback_to_default: fallback, ...(!rule && { priority: priorityAt(place, rules) }) };
}

function priorityAt(place: Draft['place'], rules: readonly RoutingRule[]): number {
  const all = rules.map(({ priority }) => priority);
  if (all.length === 0) return 0;
  return place === 'first'
    ? Math.min(MAX_PRIORITY, Math.max(...all) + 10)
    : Math.max(-MAX_PRIORITY, Math.min(...all) - 10);
}

/** All rules as they would be with this one. */
function rulesWith(
  rules: readonly RoutingRule[],
  rule: RoutingRule | undefined,
  { priority: _, ...input }: CreateRoutingRule,
  place: Draft['place'],
): readonly EditedRoutingRule[] {
  const others = rules.map((each) => (each.id === rule?.id ? { ...editedRule(each), ...input } : editedRule(each)));
  if (rule) return others;
  return place === 'first' ? [input, ...others] : [...others, input];
}

type FieldsProps = {
  readonly draft: Draft;
  readonly problem: ApiProblem | undefined;
  readonly isNew: boolean;
  readonly change: (part: Partial<Draft>) => void;
};

function Fields({ draft, problem, isNew, change }: FieldsProps) {
  const connections = useConnections().data ?? [];
  const nameOf = useConnectionName();
  const options = connections.map(({ id, status }) => ({
    value: id,
    label: status === 'active' ? nameOf(id) : `${nameOf(id)}, inactive`,
  }));
  return (
    <>
      <Input
        label="Name"
        value={draft.name}
        required
        error={fieldError(problem, 'name')}
        onValue={(name) => change({ name })}
      />
      <Textarea
        label="Countries"
        rows={2}
        value={draft.countries}
        placeholder="DE, AT, CH"
        hint="Two-letter codes. A payment without a country matches no rule."
        error={countriesError(draft.countries) ?? fieldError(problem, 'countries')}
        onValue={(countries) => change({ countries })}
      />
      <Input
        label="Methods"
        value={draft.methods}
        placeholder={METHODS.slice(0, 3).join(', ')}
        hint="Empty: every method."
        isOptional
        error={fieldError(problem, 'methods')}
        onValue={(methods) => change({ methods })}
      />
      <Select
        label="Connection"
        value={draft.connection}
        options={[{ value: '', label: 'Choose a connection' }, ...options]}
        error={fieldError(problem, 'connection_id')}
        onValue={(connection) => change({ connection })}
      />
      <Checkbox
        label="Then default routing"
        hint="If the connection cannot take the payment, or fails in a way that allows another try."
        isChecked={draft.fallback}
        onChecked={(fallback) => change({ fallback })}
      />
      {isNew && (
        <Radios
          label="Place"
          value={draft.place}
          options={[
            { value: 'first', label: 'Before all other rules' },
            { value: 'last', label: 'After all other rules' },
          ]}
          onValue={(place) => change({ place })}
        />
      )}
    </>
  );
}
