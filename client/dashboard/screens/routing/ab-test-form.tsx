import { useState } from 'preact/hooks';
import { type ApiProblem, fieldError } from '#client/dashboard/api/api-problem.ts';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { codesIn, countriesError, countriesIn } from '#client/dashboard/screens/routing/codes.ts';
import { useConnectionName } from '#client/dashboard/screens/routing/use-routing.ts';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Select } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { CreateAbTest, RoutingRule } from '#client/typescript/src/index.ts';

type Arm = { readonly name: string; readonly rule: string; readonly weight: string };
type Draft = {
  readonly name: string;
  readonly arms: readonly Arm[];
  readonly traffic: string;
  readonly countries: string;
  readonly currencies: string;
  readonly methods: string;
};

const MAX_ARMS = 10;
const EMPTY: Draft = {
  name: '',
  arms: ['A', 'B'].map((name) => ({ name, rule: '', weight: '50' })),
  ...{ traffic: '100', countries: '', currencies: '', methods: '' },
};

type FormProps = { readonly rules: readonly RoutingRule[]; readonly onClose: () => void };

/** A draft: it takes no payments before it is started. */
export function AbTestForm({ rules, onClose }: FormProps) {
  const [draft, setDraft] = useState(EMPTY);
  const change = (part: Partial<Draft>): void => setDraft({ ...draft, ...part });
  return (
    <ConfirmDialog
      title="New A/B test"
      confirm="Create the draft"
      size="wide"
      input={inputOf(draft)}
      send={(api, input, options) => api.abTests.create(input, options)}
      onDone={({ name }) => {
        invalidate('ab-tests');
        showToast(`${name} is created. Start it when you are ready.`);
        onClose();
      }}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <p>It takes no payments until you start it.</p>
          <Input label="Name" value={draft.name} required onValue={(name) => change({ name })} />
          <Arms arms={draft.arms} rules={rules} setArms={(arms) => change({ arms })} />
          <Targets {...{ draft, change, problem }} />
        </>
      )}
    </ConfirmDialog>
  );
}

const isWeight = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text.trim());

/** Undefined while something is missing or wrong. */
function inputOf({ name, arms, traffic, countries, currencies, methods }: Draft): CreateAbTest | undefined {
  const share = Number(traffic);
  const isComplete = arms.every((arm) => arm.name.trim() && arm.rule && isWeight(arm.weight));
  if (!name.trim() || !isComplete || traffic.trim() === '' || !(share >= 0 && share <= 100)) return undefined;
  if (countriesError(countries)) return undefined;
  return {
    name: name.trim(),
    variants: arms.map((arm) => ({ name: arm.name.trim(), routing_rule_id: arm.rule, weight: Number(arm.weight) })),
    traffic_percentage: share,
    target_countries: countriesIn(countries),
    target_currencies: codesIn(currencies.toUpperCase()),
    target_methods: codesIn(methods),
  };
}

type ArmsProps = {
  readonly arms: readonly Arm[];
  readonly rules: readonly RoutingRule[];
  readonly setArms: (arms: readonly Arm[]) => void;
};

function Arms({ arms, rules, setArms }: ArmsProps) {
  const nameOf = useConnectionName();
  const options = rules.map(({ id, name, connection_id }) => ({
    value: id,
    label: `${name} → ${nameOf(connection_id)}`,
  }));
  const set = (n: number, part: Partial<Arm>): void =>
    setArms(arms.map((arm, place) => (place === n ? { ...arm, ...part } : arm)));
  const next = String.fromCharCode('A'.charCodeAt(0) + arms.length);
  return (
    <fieldset class="plain stack-small">
      <legend class="strong">Variants</legend>
      {arms.map((arm, n) => (
        <div class="field-row" key={n}>
          <Input label={`Name of variant ${n + 1}`} value={arm.name} onValue={(name) => set(n, { name })} />
          <Select
            label={`Rule of variant ${n + 1}`}
            value={arm.rule}
            options={[{ value: '', label: 'Choose a rule' }, ...options]}
            onValue={(rule) => set(n, { rule })}
          />
          <Input
            label={`Weight of variant ${n + 1}`}
            inputMode="numeric"
            value={arm.weight}
            error={isWeight(arm.weight) ? undefined : 'A whole number from 1.'}
            onValue={(weight) => set(n, { weight })}
          />
        </div>
      ))}
      <div class="row">
        {arms.length < MAX_ARMS && (
          <Button size="small" icon="plus" onClick={() => setArms([...arms, { name: next, rule: '', weight: '50' }])}>
            Another variant
          </Button>
        )}
        {arms.length > 2 && (
          <Button size="small" tone="quiet" icon="minus" onClick={() => setArms(arms.slice(0, -1))}>
            Remove the last
          </Button>
        )}
      </div>
    </fieldset>
  );
}

type TargetsProps = {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
  readonly problem: ApiProblem | undefined;
};

const Targets = ({ draft, change, problem }: TargetsProps) => (
  <>
    <Input
      label="Share of payments that take part, in percent"
      inputMode="decimal"
      value={draft.traffic}
      error={fieldError(problem, 'traffic_percentage')}
      onValue={(traffic) => change({ traffic })}
    />
    <div class="field-row">
      <Input
        label="Countries"
        value={draft.countries}
        placeholder="All"
        isOptional
        error={countriesError(draft.countries) ?? fieldError(problem, 'target_countries')}
        onValue={(countries) => change({ countries })}
      />
      <Input
        label="Currencies"
        value={draft.currencies}
        placeholder="All"
        isOptional
        error={fieldError(problem, 'target_currencies')}
        onValue={(currencies) => change({ currencies })}
      />
      <Input
        label="Methods"
        value={draft.methods}
        placeholder="All"
        isOptional
        error={fieldError(problem, 'target_methods')}
        onValue={(methods) => change({ methods })}
      />
    </div>
  </>
);
