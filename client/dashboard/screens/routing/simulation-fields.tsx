import { METHODS } from '#client/dashboard/screens/routing/codes.ts';
import type { SimulationDraft } from '#client/dashboard/screens/routing/simulation-input.ts';
import { useConnections } from '#client/dashboard/screens/routing/use-routing.ts';
import { AmountInput } from '#client/dashboard/ui/amount-input.tsx';
import { Select } from '#client/dashboard/ui/choices.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';

type FieldsProps = {
  readonly draft: SimulationDraft;
  readonly change: (part: Partial<SimulationDraft>) => void;
  readonly error: (field: string) => string | undefined;
};

export function SimulationFields({ draft, change, error }: FieldsProps) {
  const { amount, currency, country, method } = draft;
  return (
    <>
      <div class="field-row">
        <AmountInput
          key={currency}
          label="Amount"
          currency={currency.length === 3 ? currency : 'EUR'}
          value={amount}
          error={error('amount')}
          onValue={(value) => change({ amount: value })}
        />
        <Input
          label="Currency"
          value={currency}
          maxLength={3}
          error={error('currency')}
          onValue={(value) => change({ currency: value.toUpperCase() })}
        />
      </div>
      <div class="field-row">
        <Input
          label="Country"
          value={country}
          maxLength={2}
          placeholder="DE"
          hint="Two letters, of the customer."
          error={error('country')}
          onValue={(value) => change({ country: value.trim().toUpperCase() })}
        />
        <Input
          label="Method"
          value={method}
          suggestions={METHODS}
          error={error('method') ?? error('payment_method.type')}
          onValue={(value) => change({ method: value })}
        />
      </div>
      <MoreFields {...{ draft, change, error }} />
    </>
  );
}

function MoreFields({ draft, change, error }: FieldsProps) {
  const { capture, token, customer, email, ip, payment } = draft;
  const providers = [...new Set((useConnections().data ?? []).map(({ provider }) => provider as string))].sort();
  return (
    <details>
      <summary>Customer, capture and token</summary>
      <div class="stack details-fields">
        <Input
          label="Customer ID"
          value={customer}
          isOptional
          error={error('customer_id')}
          onValue={(value) => change({ customer: value })}
        />
        <Input
          label="E-mail"
          value={email}
          isOptional
          error={error('customer_email')}
          onValue={(value) => change({ email: value })}
        />
        <Input
          label="IP address"
          value={ip}
          isOptional
          error={error('customer_ip')}
          onValue={(value) => change({ ip: value })}
        />
        <Select
          label="Capture"
          value={capture}
          options={[
            { value: 'automatic', label: 'At once' },
            { value: 'manual', label: 'Later' },
          ]}
          onValue={(value) => change({ capture: value })}
        />
        <Select
          label="Token"
          value={token}
          hint="A token charges at its provider alone."
          options={[
            { value: '', label: 'None: the customer pays on a page' },
            ...providers.map((value) => ({ value, label: `Of ${providerName(value)}` })),
          ]}
          onValue={(value) => change({ token: value })}
        />
        <Input
          label="Payment ID"
          value={payment}
          placeholder="pay_…"
          hint="Of an existing payment: it decides which share of an A/B test it is in."
          isOptional
          error={error('id')}
          onValue={(value) => change({ payment: value })}
        />
      </div>
    </details>
  );
}
