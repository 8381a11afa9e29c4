import { useState } from 'preact/hooks';
import { type ApiProblem, fieldError } from '#client/dashboard/api/api-problem.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PAYMENT } from '#client/dashboard/screens/payment/payment.catalog.ts';
import { leftToRefund } from '#client/dashboard/screens/payment/what-is-possible.ts';
import { AmountInput } from '#client/dashboard/ui/amount-input.tsx';
import { Checkbox } from '#client/dashboard/ui/choices.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import type { Payment } from '#client/typescript/src/generated/schemas.ts';

export type RefundForm = ReturnType<typeof useRefundForm>;

/** `input`: what is sent; undefined while something is missing. */
export function useRefundForm(payment: Payment) {
  // What was left when the dialog was opened: a repeat of the same request asks for the same.
  const [left] = useState(leftToRefund(payment));
  const [amount, setAmount] = useState<number | undefined>(left);
  const [reason, setReason] = useState('');
  const [isForced, force] = useState(false);
  const isDisputed = (payment.amount_disputed ?? 0) > 0;
  const isComplete = amount !== undefined && amount > 0 && amount <= left && (!isDisputed || isForced);
  const text = reason.trim();
  const input = isComplete ? { amount, ...(text && { reason: text }), ...(isForced && { force: true }) } : undefined;
  return { left, amount, setAmount, reason, setReason, isForced, force, isDisputed, input };
}

type FieldsProps = {
  readonly payment: Payment;
  readonly form: RefundForm;
  readonly problem: ApiProblem | undefined;
};

export function RefundFields({ payment, form, problem }: FieldsProps) {
  const texts = useMessages(PAYMENT);
  const { money } = useFormats();
  const { left, amount, isDisputed } = form;
  const most = texts.most(money(left, payment.currency));
  return (
    <>
      <AmountInput
        label={texts.amount}
        currency={payment.currency}
        value={amount}
        onValue={form.setAmount}
        hint={most}
        error={amount !== undefined && amount > left ? most : fieldError(problem, 'amount')}
      />
      <Input
        label={texts.reason}
        isOptional
        value={form.reason}
        onValue={form.setReason}
        maxLength={200}
        hint={texts.reasonHint}
        error={fieldError(problem, 'reason')}
      />
      {isDisputed && <Checkbox label={texts.refundDisputed} isChecked={form.isForced} onChecked={form.force} />}
      <WhatWillHappen payment={payment} form={form} />
    </>
  );
}

function WhatWillHappen({ payment: { currency, provider }, form: { left, amount } }: Omit<FieldsProps, 'problem'>) {
  const texts = useMessages(PAYMENT);
  const { money } = useFormats();
  if (amount === undefined || amount > left) return null;
  return (
    <div>
      <p>{texts.refundText(money(amount, currency), provider ? providerName(provider) : texts.provider)}</p>
      <p>{texts.refundRest(money(left - amount, currency))}</p>
    </div>
  );
}
