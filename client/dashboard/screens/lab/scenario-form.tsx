import { useState } from 'preact/hooks';
import { type ApiProblem, fieldError } from '#client/dashboard/api/api-problem.ts';
import { useControlAct } from '#client/dashboard/screens/lab/use-control.ts';
import type { ScenarioChoices } from '#client/dashboard/screens/lab/waiting-scenarios.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Select, wordOptions } from '#client/dashboard/ui/choices.tsx';
import { ActionProblem } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input, Textarea } from '#client/dashboard/ui/field.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { showToast } from '#client/dashboard/ui/toast.tsx';

/** `decline:<failure code>` and `slow:<ms>` take a value; it stands after the colon. */
const nameOf = (behaviour: string): string => behaviour.split(':')[0] ?? behaviour;

const START = {
  provider: 'stripe',
  behaviour: 'decline',
  code: 'insufficient_funds',
  ms: '3000',
  raw: '{\n  "status": 500,\n  "body": {}\n}',
  webhook: 'normal',
  times: '1',
  payment: '',
};
type Draft = typeof START;

export function ScenarioForm({ choices }: { readonly choices: ScenarioChoices }) {
  const [draft, setDraft] = useState(START);
  const act = useControlAct('lab-scenarios');
  const set = (name: keyof Draft) => (value: string) => setDraft({ ...draft, [name]: value });
  const body = bodyOf(draft);
  return (
    <form
      class="stack"
      onSubmit={async (event) => {
        event.preventDefault();
        if (body && (await act.run('POST', '/psp/scenario', body))) showToast('The scenario waits for its call.');
      }}
    >
      <ScenarioFields draft={draft} set={set} choices={choices} problem={act.problem} />
      <div>
        <Button type="submit" tone="primary" isPending={act.isPending} disabled={body === undefined}>
          Set the scenario
        </Button>
      </div>
      <ActionProblem problem={act.problem} isUnknown={false} />
    </form>
  );
}

type Setter = (name: keyof Draft) => (value: string) => void;
type FieldsProps = {
  readonly draft: Draft;
  readonly set: Setter;
  readonly choices: ScenarioChoices;
  readonly problem: ApiProblem | undefined;
};

const ScenarioFields = ({ draft, set, choices, problem }: FieldsProps) => (
  <>
    <Select
      label="Provider"
      value={draft.provider}
      onValue={set('provider')}
      options={choices.providers.map((value) => ({ value, label: providerName(value) }))}
    />
    <Select
      label="Behaviour"
      value={draft.behaviour}
      onValue={set('behaviour')}
      options={wordOptions(choices.behaviours.map(nameOf))}
    />
    <BehaviourValue draft={draft} set={set} codes={choices.failure_codes} />
    <Select
      label="Its webhooks"
      value={draft.webhook}
      onValue={set('webhook')}
      options={wordOptions(choices.webhooks.map(nameOf))}
    />
    {draft.webhook === 'late' && (
      <Input label="Milliseconds late" type="number" min={0} value={draft.ms} onValue={set('ms')} />
    )}
    <Input
      label="How often"
      type="number"
      min={1}
      value={draft.times}
      onValue={set('times')}
      error={fieldError(problem, 'times')}
    />
    <Input
      label="Only for this payment"
      isOptional
      placeholder="pay_…"
      value={draft.payment}
      onValue={set('payment')}
    />
  </>
);

type ValueProps = {
  readonly draft: Draft;
  readonly set: Setter;
  readonly codes: readonly string[];
};

/** What some behaviours need besides their name. */
function BehaviourValue({ draft, set, codes }: ValueProps) {
  if (draft.behaviour === 'decline')
    return <Select label="Failure code" value={draft.code} onValue={set('code')} options={wordOptions(codes)} />;
  if (draft.behaviour === 'slow')
    return <Input label="Milliseconds" type="number" min={0} value={draft.ms} onValue={set('ms')} />;
  if (draft.behaviour !== 'raw') return null;
  return (
    <Textarea
      label="Response"
      isCode
      rows={6}
      value={draft.raw}
      onValue={set('raw')}
      hint="Status, headers and body, as JSON. It is sent as it is, and nothing is executed."
      error={jsonOf(draft.raw) === undefined ? 'This is not valid JSON.' : undefined}
    />
  );
}

function jsonOf(text: string): object | undefined {
  try {
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Undefined: the draft is not complete. */
function bodyOf(draft: Draft): object | undefined {
  const raw = draft.behaviour === 'raw' ? jsonOf(draft.raw) : undefined;
  if (draft.behaviour === 'raw' && !raw) return undefined;
  const values: Readonly<Record<string, string>> = { decline: draft.code, slow: draft.ms };
  const value = values[draft.behaviour];
  const payment = draft.payment.trim();
  return {
    provider: draft.provider,
    behaviour: value === undefined ? draft.behaviour : `${draft.behaviour}:${value}`,
    webhook: draft.webhook === 'late' ? `late:${draft.ms}` : draft.webhook,
    times: Number(draft.times),
    ...(raw && { raw }),
    ...(payment !== '' && { match: { payment_id: payment } }),
  };
}
