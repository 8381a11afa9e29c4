import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { fieldError } from '#client/dashboard/api/api-problem.ts';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { convertDigits } from '#client/dashboard/i18n/convert-digits.ts';
import { CURRENCY_CODES } from '#client/dashboard/i18n/currency-codes.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { BILLING } from '#client/dashboard/screens/subscriptions/billing.catalog.ts';
import { SavedMethodField } from '#client/dashboard/screens/subscriptions/saved-method-field.tsx';
import { AmountInput } from '#client/dashboard/ui/amount-input.tsx';
import { Select } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog, type FieldsProps } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { CreateSubscription } from '#client/typescript/src/index.ts';

const CURRENCIES = CURRENCY_CODES.map((code) => ({ value: code, label: code }));
const INTERVALS = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;

type Draft = {
  readonly customer: string;
  readonly plan: string;
  readonly amount: number | undefined;
  readonly currency: string;
  readonly interval: CreateSubscription['interval'];
  readonly method: string;
  readonly startAt: string;
};

const EMPTY: Draft = {
  ...{ customer: '', plan: '', amount: undefined, currency: 'EUR', interval: 'monthly', method: '', startAt: '' },
} as const;

/** Undefined while something is missing. A start is midnight of UTC, as periods are counted there. */
function inputOf({
  customer,
  plan,
  amount,
  currency,
  interval,
  method,
  startAt,
}: Draft): CreateSubscription | undefined {
  if (!customer.trim() || !plan.trim() || amount === undefined) return undefined;
  return {
    customer_id: customer.trim(),
    plan_id: plan.trim(),
    amount,
    currency,
    interval,
    ...(method.trim() && { payment_method: { id: method.trim() } }),
    ...(startAt && { start_at: `${startAt}T00:00:00.000Z` }),
  };
}

export function CreateSubscriptionDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useMessages(BILLING);
  const { route } = useLocation();
  const [draft, setDraft] = useState(EMPTY);
  return (
    <ConfirmDialog
      title={texts.newSubscription}
      confirm={texts.create}
      input={inputOf(draft)}
      send={(api, input, options) => api.subscriptions.create(input, options)}
      onDone={({ id }) => {
        invalidate('subscriptions', 'subscription-stats', 'invoices');
        showToast(texts.createdToast);
        route(`/dashboard/subscriptions/${id}`);
      }}
      onClose={onClose}
    >
      {(problem) => <Fields {...{ draft, problem }} change={(part) => setDraft({ ...draft, ...part })} />}
    </ConfirmDialog>
  );
}

function Fields({ draft, problem, change }: FieldsProps<Draft>) {
  const texts = useMessages(BILLING);
  const { customer, plan, method, startAt } = draft;
  const error = (field: string) => fieldError(problem, field);
  return (
    <>
      <p>{texts.createText}</p>
      <Input
        label={texts.customer}
        value={customer}
        error={error('customer_id')}
        required
        onValue={(value) => change({ customer: value, method: '' })}
      />
      <Input
        label={texts.plan}
        value={plan}
        error={error('plan_id')}
        required
        onValue={(value) => change({ plan: value })}
      />
      <PriceFields {...{ draft, problem, change }} />
      <SavedMethodField
        customer={customer}
        value={method}
        problem={problem}
        none={texts.noMethod}
        onValue={(value) => change({ method: value })}
      />
      <Input
        label={texts.startAt}
        type="date"
        value={startAt}
        hint={texts.startAtHint}
        error={error('start_at')}
        isOptional
        onValue={(value) => change({ startAt: value })}
      />
    </>
  );
}

/** How much, of which currency, how often. */
function PriceFields({ draft: { amount, currency, interval }, problem, change }: FieldsProps<Draft>) {
  const texts = useMessages(BILLING);
  const intervals = INTERVALS.map((value) => ({ value, label: texts.every[value] }));
  return (
    <div class="field-row">
      <Select
        label={texts.currency}
        value={currency}
        options={CURRENCIES}
        error={fieldError(problem, 'currency')}
        onValue={(value) => change({ currency: value, amount: convertDigits({ amount, currency }, value) })}
      />
      {/* The key: the field writes the amount anew with the decimals of another currency. */}
      <AmountInput
        key={currency}
        label={texts.amount}
        currency={currency}
        value={amount}
        error={fieldError(problem, 'amount')}
        onValue={(value) => change({ amount: value })}
      />
      <Select
        label={texts.interval}
        value={interval}
        options={intervals}
        onValue={(value) => change({ interval: value })}
      />
    </div>
  );
}
