import { useState } from 'preact/hooks';
import { fieldError } from '#client/dashboard/api/api-problem.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PAYMENT } from '#client/dashboard/screens/payment/payment.catalog.ts';
import { paymentChanged } from '#client/dashboard/screens/payment/payment-changed.ts';
import { leftToCapture } from '#client/dashboard/screens/payment/what-is-possible.ts';
import { AmountInput } from '#client/dashboard/ui/amount-input.tsx';
import { Checkbox } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { Payment } from '#client/typescript/src/generated/schemas.ts';

type DialogProps = { readonly payment: Payment; readonly onClose: () => void };

export function CaptureDialog({ payment, onClose }: DialogProps) {
  const texts = useMessages(PAYMENT);
  const { money } = useFormats();
  const { id, currency } = payment;
  const [left] = useState(leftToCapture(payment));
  const [amount, setAmount] = useState<number | undefined>(left);
  const [isFinal, setFinal] = useState(true);
  const isPossible = amount !== undefined && amount > 0 && amount <= left;
  const most = texts.most(money(left, currency));
  return (
    <ConfirmDialog
      title={texts.captureTitle}
      confirm={amount ? texts.captureButton(money(amount, currency)) : texts.capture}
      input={isPossible ? { amount, final: isFinal } : undefined}
      send={(api, body, options) => api.payments.capture(id, body, options)}
      onDone={() => {
        paymentChanged();
        showToast(texts.captureDone);
        onClose();
      }}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <AmountInput
            label={texts.amount}
            currency={currency}
            value={amount}
            onValue={setAmount}
            hint={most}
            error={amount !== undefined && amount > left ? most : fieldError(problem, 'amount')}
          />
          <Checkbox label={texts.captureFinal} hint={texts.captureFinalHint} isChecked={isFinal} onChecked={setFinal} />
          {isPossible && (
            <p>
              {texts.captureText(
                money(amount, currency),
                payment.provider ? providerName(payment.provider) : texts.provider,
              )}
            </p>
          )}
        </>
      )}
    </ConfirmDialog>
  );
}
