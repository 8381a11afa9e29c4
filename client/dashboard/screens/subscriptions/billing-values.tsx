import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { BILLING } from '#client/dashboard/screens/subscriptions/billing.catalog.ts';
import { Badge, StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { Money } from '#client/dashboard/ui/values.tsx';
import type { Invoice, Subscription } from '#client/typescript/src/index.ts';

type Priced = Pick<Subscription, 'amount' | 'currency' | 'interval'>;

/** What a period costs, such as €19.90 a month. */
export function Price({ amount, currency, interval }: Priced) {
  const texts = useMessages(BILLING);
  return (
    <>
      <Money amount={amount} currency={currency} /> <span class="muted">{texts.every[interval]}</span>
    </>
  );
}

/** Its status, and that it ends if that is planned. */
export function SubscriptionStatus({ subscription }: { readonly subscription: Subscription }) {
  const texts = useMessages(BILLING);
  const formats = useFormats();
  const { status, cancel_at_period_end, next_renewal_at } = subscription;
  if (status !== 'canceled' && cancel_at_period_end && next_renewal_at)
    return (
      <Badge tone="warn" icon="clock">
        {texts.endsOn(formats.date(next_renewal_at))}
      </Badge>
    );
  return <StatusBadge status={status} label={texts.statuses[status]} />;
}

/** An open invoice whose charge failed is one that somebody should know of. */
export function InvoiceStatus({ invoice: { status, next_retry_at } }: { readonly invoice: Invoice }) {
  const texts = useMessages(BILLING);
  const tone = status === 'open' && next_retry_at !== null ? 'warn' : undefined;
  return <StatusBadge status={status} label={texts.statuses[status]} {...(tone && { tone })} />;
}

export function Period({ from, to }: { readonly from: string; readonly to: string }) {
  const formats = useFormats();
  return (
    <>
      {formats.date(from)} – {formats.date(to)}
    </>
  );
}
