import { useFormats } from '#client/dashboard/i18n/i18n.tsx';
import { Badge, StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { usePaymentWords } from '#client/dashboard/ui/payment-words.ts';
import type { Payment } from '#client/typescript/src/generated/schemas.ts';

type PaymentBadgesProps = { readonly payment: Payment };

/** Its status, and what that does not say: how much went back, and that the customer disputes it. */
export function PaymentBadges({ payment }: PaymentBadgesProps) {
  const { money } = useFormats();
  const { statusWords, refundedPart, disputed } = usePaymentWords();
  const { status, amount_refunded, amount_disputed = 0, currency } = payment;
  return (
    <>
      <StatusBadge status={status} label={statusWords(status)} />
      {amount_refunded > 0 && status !== 'refunded' && (
        <Badge icon="refund">{refundedPart(money(amount_refunded, currency))}</Badge>
      )}
      {amount_disputed > 0 && (
        <Badge tone="warn" icon="disputes">
          {disputed}
        </Badge>
      )}
    </>
  );
}
