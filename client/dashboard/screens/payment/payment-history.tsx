import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PAYMENT } from '#client/dashboard/screens/payment/payment.catalog.ts';
import { useTimelineLine } from '#client/dashboard/screens/payment/timeline-lines.tsx';
import { Timeline } from '#client/dashboard/ui/timeline.tsx';
import type { Payment, PaymentTimeline } from '#client/typescript/src/generated/schemas.ts';

type PaymentHistoryProps = { readonly payment: Payment; readonly timeline: PaymentTimeline };

/** The newest first: what has just happened is what people look for. */
export function PaymentHistory({ payment, timeline }: PaymentHistoryProps) {
  const texts = useMessages(PAYMENT);
  const toLine = useTimelineLine(payment);
  const { entries, complete, hidden } = timeline;
  return (
    <>
      <Timeline label={texts.timeline} entries={entries.map(toLine).toReversed()} />
      {!complete && <p class="muted">{texts.incomplete}</p>}
      {hidden.length > 0 && <p class="muted">{texts.hidden(hidden.join(', '))}</p>}
    </>
  );
}
