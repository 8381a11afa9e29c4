import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PAYMENT } from '#client/dashboard/screens/payment/payment.catalog.ts';
import { paymentChanged } from '#client/dashboard/screens/payment/payment-changed.ts';
import { leftToCapture } from '#client/dashboard/screens/payment/what-is-possible.ts';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { usePaymentWords } from '#client/dashboard/ui/payment-words.ts';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { Payment } from '#client/typescript/src/generated/schemas.ts';

type DialogProps = { readonly payment: Payment; readonly onClose: () => void };

export function CancelDialog({ payment, onClose }: DialogProps) {
  const texts = useMessages(PAYMENT);
  const { money } = useFormats();
  const { statusWords } = usePaymentWords();
  const { id, amount, currency, status, provider } = payment;
  const held = money(leftToCapture(payment), currency);
  return (
    <ConfirmDialog
      title={texts.cancelTitle}
      confirm={texts.cancelButton}
      tone="danger"
      input={{}}
      send={(api, input, options) => api.payments.cancel(id, input, options)}
      onDone={(after) => {
        paymentChanged();
        showToast(after.status === 'canceled' ? texts.cancelDone : statusWords(after.status));
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        {status === 'authorized'
          ? texts.cancelHeld(held, provider ? providerName(provider) : texts.provider)
          : texts.cancelText(money(amount, currency))}
      </p>
      <p>{texts.cancelFinal}</p>
    </ConfirmDialog>
  );
}

export function RetryDialog({ payment, onClose }: DialogProps) {
  const texts = useMessages(PAYMENT);
  const { money } = useFormats();
  const { statusWords, failureWords } = usePaymentWords();
  const { id, amount, currency, failure } = payment;
  return (
    <ConfirmDialog
      title={texts.retryTitle}
      confirm={texts.retryButton}
      input={{}}
      send={(api, input, options) => api.payments.retry(id, input, options)}
      onDone={(after) => {
        paymentChanged();
        showToast(texts.retryDone(statusWords(after.status)));
        onClose();
      }}
      onClose={onClose}
    >
      {failure && <p>{texts.retryFailed(failureWords(failure.code))}</p>}
      <p>{texts.retryText(money(amount, currency))}</p>
    </ConfirmDialog>
  );
}
