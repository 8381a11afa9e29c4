import { useState } from 'preact/hooks';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { CURRENCY_CODES } from '#client/dashboard/i18n/currency-codes.ts';
import { AmountInput } from '#client/dashboard/ui/amount-input.tsx';
import { Checkbox, Select } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';

/** In minor units a day, by currency. */
export type Daily = Readonly<Record<string, number>>;

const CURRENCIES = CURRENCY_CODES.map((code) => ({ value: code, label: code }));

type LimitDialogProps = { readonly daily: Daily; readonly onClose: () => void };

/** One currency at a time. */
export function LimitDialog({ daily, onClose }: LimitDialogProps) {
  const [currency, setCurrency] = useState(Object.keys(daily)[0] ?? 'EUR');
  const [amount, setAmount] = useState(daily[currency]);
  const [asksAlways, setAsksAlways] = useState(false);
  const limit = asksAlways ? null : amount;
  const choose = (code: string): void => {
    setCurrency(code);
    setAmount(daily[code]);
  };
  return (
    <ConfirmDialog
      title="Change a limit of agents"
      confirm="Save limit"
      input={limit === undefined ? undefined : { daily: { [currency]: limit } }}
      send={(api, input, options) => api.agents.updateLimits(input, options)}
      onDone={() => {
        invalidate('agent-limits', 'audit');
        showToast('The limit is saved. It counts from the next request.');
        onClose();
      }}
      onClose={onClose}
    >
      <Select label="Currency" value={currency} options={CURRENCIES} onValue={choose} />
      {!asksAlways && (
        <AmountInput
          key={currency}
          label="A day, for each key"
          hint="The amounts of all its requests within 24 hours count together."
          currency={currency}
          value={amount}
          onValue={setAmount}
        />
      )}
      <Checkbox label="Ask about every amount in this currency" isChecked={asksAlways} onChecked={setAsksAlways} />
    </ConfirmDialog>
  );
}
