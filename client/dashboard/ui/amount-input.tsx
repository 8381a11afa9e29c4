import { useState } from 'preact/hooks';
import { amountText, parseAmount } from '#client/dashboard/i18n/currencies.ts';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { type FieldLook, Input } from '#client/dashboard/ui/field.tsx';

type AmountInputProps = FieldLook & {
  readonly currency: string;
  /** In minor units. Undefined: what is typed is no amount. */
  readonly value: number | undefined;
  readonly onValue: (amount: number | undefined) => void;
  readonly disabled?: boolean;
};

/** Takes an amount as people write it, and gives minor units. */
export function AmountInput({ currency, value, onValue, error, disabled, ...look }: AmountInputProps) {
  const { amountExample } = useMessages(FRAME);
  const [text, setText] = useState(value === undefined ? '' : amountText(value, currency));
  const isWrong = text !== '' && parseAmount(text, currency) === undefined;
  return (
    <Input
      {...look}
      label={`${look.label} (${currency})`}
      value={text}
      inputMode="decimal"
      disabled={disabled}
      error={isWrong ? amountExample(amountText(1_250, currency)) : error}
      onValue={(typed) => {
        setText(typed);
        onValue(parseAmount(typed, currency));
      }}
    />
  );
}
