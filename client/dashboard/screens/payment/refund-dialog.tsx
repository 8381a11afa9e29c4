import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PAYMENT } from '#client/dashboard/screens/payment/payment.catalog.ts';
import { paymentChanged } from '#client/dashboard/screens/payment/payment-changed.ts';
import type { PaymentMessages } from '#client/dashboard/screens/payment/payment-messages.ts';
import { RefundFields, useRefundForm } from '#client/dashboard/screens/payment/refund-form.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { Payment } from '#client/typescript/src/generated/schemas.ts';

type DialogProps = { readonly payment: Payment; readonly onClose: () => void };

export function RefundDialog({ payment, onClose }: DialogProps) {
  const texts = useMessages(PAYMENT);
  const { money } = useFormats();
  const form = useRefundForm(payment);
  const shown = money(form.amount ?? 0, payment.currency);
  return (
    <ConfirmDialog
      title={texts.refundTitle}
      confirm={form.amount ? texts.refundButton(shown) : texts.refund}
      tone="danger"
      input={form.input}
      send={(api, input, options) => api.payments.refund(payment.id, input, options)}
      onDone={(after) => {
        paymentChanged();
        showToast(whatCame(payment, after, shown, texts));
        onClose();
      }}
      onClose={onClose}
    >
      {(problem) => <RefundFields payment={payment} form={form} problem={problem} />}
    </ConfirmDialog>
  );
}

/** The API answers before the provider has confirmed, or after it has refused. */
function whatCame(before: Payment, after: Payment, amount: string, texts: PaymentMessages): string {
  const known = new Set(before.refunds.map(({ id }) => id));
  const made = after.refunds.find(({ id }) => !known.has(id));
  if (made?.status === 'failed') return texts.refundFailed;
  return made?.status === 'pending' ? texts.refundPending : texts.refundDone(amount);
}
