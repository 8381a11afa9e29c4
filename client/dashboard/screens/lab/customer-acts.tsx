import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useControlAct } from '#client/dashboard/screens/lab/use-control.ts';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Select } from '#client/dashboard/ui/choices.tsx';
import { ActionProblem } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { Columns, Section } from '#client/dashboard/ui/page.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { showToast } from '#client/dashboard/ui/toast.tsx';

type ProvidersProps = { readonly providers: readonly string[] };

/** What happens at a provider without us: on its hosted page, and at the customer's bank. */
export const CustomerActs = ({ providers }: ProvidersProps) => (
  <Columns>
    <Section title="The customer on a page or a phone" isCard>
      <CompleteForm providers={providers} />
    </Section>
    <Section title="The customer at their bank" isCard>
      <DisputeForm providers={providers} />
    </Section>
  </Columns>
);

function CompleteForm({ providers }: ProvidersProps) {
  const [outcome, setOutcome] = useState<'succeeded' | 'failed'>('succeeded');
  return (
    <ActForm
      providers={providers}
      label="Payment, or an id of the provider"
      placeholder="pay_…"
      path="/psp/complete"
      bodyOf={(provider, reference) => ({ provider, reference, outcome })}
      button="Finish"
      done="The provider knows now."
    >
      <Select
        label="How it ends"
        value={outcome}
        onValue={setOutcome}
        options={[
          { value: 'succeeded', label: 'The customer pays' },
          { value: 'failed', label: 'The customer gives up' },
        ]}
      />
    </ActForm>
  );
}

const STEPS = [
  { value: 'open', label: 'Dispute the charge' },
  { value: 'inquiry', label: 'Ask about the charge (an inquiry)' },
  { value: 'escalate', label: 'The inquiry becomes a dispute' },
  { value: 'won', label: 'The bank decides for the shop' },
  { value: 'lost', label: 'The bank decides for the customer' },
  { value: 'reopen', label: 'The bank goes on after a won dispute' },
] as const;
type Step = (typeof STEPS)[number]['value'];

const opens = (step: Step): boolean => step === 'open' || step === 'inquiry';

function DisputeForm({ providers }: ProvidersProps) {
  const [step, setStep] = useState<Step>('open');
  return (
    <ActForm
      providers={providers}
      label={opens(step) ? 'Payment' : 'The provider’s reference of the dispute'}
      placeholder={opens(step) ? 'pay_…' : ''}
      path={opens(step) ? '/psp/disputes' : '/psp/disputes/move'}
      bodyOf={(provider, reference) =>
        opens(step)
          ? { provider, payment_id: reference, ...(step === 'inquiry' && { inquiry: true }) }
          : { provider, reference, step }
      }
      button="Do it"
      done="The bank has decided."
    >
      <Select label="What happens" value={step} onValue={setStep} options={STEPS} />
    </ActForm>
  );
}

type ActFormProps = ProvidersProps & {
  readonly label: string;
  readonly placeholder: string;
  readonly path: string;
  readonly bodyOf: (provider: string, reference: string) => object;
  readonly button: string;
  readonly done: string;
  readonly children: ComponentChildren;
};

function ActForm({ providers, label, placeholder, path, bodyOf, button, done, children }: ActFormProps) {
  const [provider, setProvider] = useState('stripe');
  const [reference, setReference] = useState('');
  const act = useControlAct('lab-calls');
  return (
    <form
      class="stack"
      onSubmit={async (event) => {
        event.preventDefault();
        if (await act.run('POST', path, bodyOf(provider, reference.trim()))) showToast(done);
      }}
    >
      {children}
      <Select
        label="Provider"
        value={provider}
        onValue={setProvider}
        options={providers.map((value) => ({ value, label: providerName(value) }))}
      />
      <Input label={label} placeholder={placeholder} value={reference} onValue={setReference} required />
      <div>
        <Button type="submit" isPending={act.isPending} disabled={reference.trim() === ''}>
          {button}
        </Button>
      </div>
      <ActionProblem problem={act.problem} isUnknown={false} />
    </form>
  );
}
