import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { reviewOutcome } from '#client/dashboard/screens/reviews/review-outcome.ts';
import { REVIEWS } from '#client/dashboard/screens/reviews/reviews.catalog.ts';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { Payment } from '#client/typescript/src/generated/schemas.ts';

type EndReviewProps = {
  readonly payment: Payment;
  readonly onDone?: (payment: Payment) => void;
  readonly onClose: () => void;
};

/** A review ends by a cancel of its payment, whatever the payment's status is. */
export function EndReviewDialog({ payment, onDone, onClose }: EndReviewProps) {
  const texts = useMessages(REVIEWS);
  const { money } = useFormats();
  return (
    <ConfirmDialog
      title={texts.endTitle}
      confirm={texts.end}
      tone="danger"
      input={{}}
      send={(api, input, options) => api.payments.cancel(payment.id, input, options)}
      onDone={(ended) => {
        invalidate('reviews', 'attention', 'payment', 'payments', 'timeline');
        showToast(texts.ended);
        onDone?.(ended);
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        <strong>{money(payment.amount, payment.currency)}</strong> · <code>{payment.id}</code>
      </p>
      {reviewOutcome(payment, texts, money).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  );
}
