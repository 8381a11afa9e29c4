import { useState } from 'preact/hooks';
import { useControl, useControlAct } from '#client/dashboard/screens/lab/use-control.ts';
import { wordsOf } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Select } from '#client/dashboard/ui/choices.tsx';
import { ActionProblem } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { Columns, Section } from '#client/dashboard/ui/page.tsx';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';

const POINTS = ['table', 'queue', 'vault', 'psp', 'bus'] as const;
const KINDS = [
  { value: 'error', label: 'It fails' },
  { value: 'throttle', label: 'It is throttled' },
  { value: 'crash', label: 'The function dies there' },
] as const;
const WHEN = [
  { value: 'before', label: 'Before it took effect' },
  { value: 'after', label: 'After it took effect' },
] as const;

type Fault = {
  readonly point: (typeof POINTS)[number];
  readonly nth: number;
  readonly kind: (typeof KINDS)[number]['value'];
  readonly when: (typeof WHEN)[number]['value'];
  readonly handler?: string;
};
type Faulty = { readonly waiting: readonly Fault[]; readonly handlers: readonly string[] };

/** What the service must survive: a call that fails, or a process that is killed between two of them. */
export function Faults() {
  const query = useControl<Faulty>('lab-faults', '/faults');
  return (
    <Loaded query={query}>
      {({ waiting, handlers }) => (
        <Columns>
          <Section
            title="Let a call fail"
            description="Calls are counted from now on. The client that asked should repeat its request."
            isCard
          >
            <FaultForm handlers={handlers} />
          </Section>
          <Section title="Faults that wait" isCard>
            <WaitingFaults waiting={waiting} />
          </Section>
        </Columns>
      )}
    </Loaded>
  );
}

function FaultForm({ handlers }: { readonly handlers: readonly string[] }) {
  const [fault, setFault] = useState<Fault>({ point: 'psp', nth: 1, kind: 'error', when: 'before' });
  const act = useControlAct('lab-faults');
  return (
    <form
      class="stack"
      onSubmit={async (event) => {
        event.preventDefault();
        if (await act.run('POST', '/faults', fault)) showToast('The fault waits for its call.');
      }}
    >
      <Select
        label="A call of"
        value={fault.point}
        onValue={(point) => setFault({ ...fault, point })}
        options={POINTS.map((value) => ({ value, label: value === 'psp' ? 'A provider' : wordsOf(value) }))}
      />
      <Select
        label="Made by the function"
        value={fault.handler ?? ''}
        onValue={(handler) => setFault({ ...fault, handler: handler === '' ? undefined : handler })}
        options={[{ value: '', label: 'Any' }, ...handlers.map((value) => ({ value, label: value }))]}
      />
      <Input
        label="Which one, from now on"
        type="number"
        min={1}
        value={String(fault.nth)}
        onValue={(nth) => setFault({ ...fault, nth: Number(nth) })}
      />
      <Select
        label="What happens"
        value={fault.kind}
        onValue={(kind) => setFault({ ...fault, kind })}
        options={KINDS}
      />
      <Select label="When" value={fault.when} onValue={(when) => setFault({ ...fault, when })} options={WHEN} />
      <div>
        <Button type="submit" tone="danger" isPending={act.isPending}>
          Set the fault
        </Button>
      </div>
      <ActionProblem problem={act.problem} isUnknown={false} />
    </form>
  );
}

function WaitingFaults({ waiting }: { readonly waiting: readonly Fault[] }) {
  const act = useControlAct('lab-faults');
  if (waiting.length === 0) return <Empty icon="check" title="No fault waits" />;
  return (
    <div class="stack">
      <ul class="plain stack-small lab-list">
        {waiting.map((fault, n) => (
          <li key={n}>{sentenceOf(fault)}</li>
        ))}
      </ul>
      <div>
        <Button isPending={act.isPending} onClick={() => act.run('DELETE', '/faults')}>
          Remove all
        </Button>
      </div>
      <ActionProblem problem={act.problem} isUnknown={false} />
    </div>
  );
}

const sentenceOf = ({ point, nth, kind, when, handler }: Fault): string =>
  `${wordsOf(kind)} ${when} call ${nth} of ${point}${handler === undefined ? '' : `, made by ${handler}`}`;
