import { useState } from 'preact/hooks';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { CancelDialog, RetryDialog } from '#client/dashboard/screens/payment/cancel-dialog.tsx';
import { CaptureDialog } from '#client/dashboard/screens/payment/capture-dialog.tsx';
import { PAYMENT } from '#client/dashboard/screens/payment/payment.catalog.ts';
import { RefundDialog } from '#client/dashboard/screens/payment/refund-dialog.tsx';
import {
  canCancel,
  canRetry,
  leftToCapture,
  leftToRefund,
} from '#client/dashboard/screens/payment/what-is-possible.ts';
import { EndReviewDialog } from '#client/dashboard/screens/reviews/end-review-dialog.tsx';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import type { Payment } from '#client/typescript/src/generated/schemas.ts';

type Act = 'refund' | 'capture' | 'cancel' | 'retry' | 'end_review';

/** What this person may do with the payment as it is now. Each opens a dialog that asks. */
export function PaymentActions({ payment }: { readonly payment: Payment }) {
  const texts = useMessages(PAYMENT);
  const { can } = useSession();
  const [act, setAct] = useState<Act>();
  if (!can('payments:write')) return null;
  const close = (): void => setAct(undefined);
  const names = { ...texts, end_review: texts.endReview };
  return (
    <>
      {possibleActs(payment).map((name, n) => (
        <Button key={name} tone={n === 0 ? 'primary' : 'secondary'} onClick={() => setAct(name)}>
          {names[name]}…
        </Button>
      ))}
      {act === 'refund' && <RefundDialog payment={payment} onClose={close} />}
      {act === 'capture' && <CaptureDialog payment={payment} onClose={close} />}
      {act === 'cancel' && <CancelDialog payment={payment} onClose={close} />}
      {act === 'retry' && <RetryDialog payment={payment} onClose={close} />}
      {act === 'end_review' && <EndReviewDialog payment={payment} onClose={close} />}
    </>
  );
}

/** The most likely one first. */
function possibleActs(payment: Payment): readonly Act[] {
  const acts: readonly (readonly [Act, boolean])[] = [
    ['end_review', payment.review !== null],
    ['capture', leftToCapture(payment) > 0],
    ['retry', canRetry(payment)],
    ['refund', leftToRefund(payment) > 0],
    ['cancel', canCancel(payment)],
  ];
  return acts.flatMap(([act, isPossible]) => (isPossible ? [act] : []));
}
