import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PAYMENT } from '#client/dashboard/screens/payment/payment.catalog.ts';
import { leftToRefund } from '#client/dashboard/screens/payment/what-is-possible.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { wordsOf } from '#client/dashboard/ui/badge.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { Time } from '#client/dashboard/ui/time.tsx';
import { Id, KeyValue, type KeyValueItem, Money } from '#client/dashboard/ui/values.tsx';
import type { Payment } from '#client/typescript/src/generated/schemas.ts';

type Facts = { readonly payment: Payment };

/** What the payment is, beside what happened to it. */
export const PaymentFacts = ({ payment }: Facts) => (
  <div>
    <MoneyFacts payment={payment} />
    <Details payment={payment} />
    <Related payment={payment} />
    <Metadata payment={payment} />
  </div>
);

function MoneyFacts({ payment }: Facts) {
  const texts = useMessages(PAYMENT);
  const { currency, amount, amount_refunded, amount_disputed = 0 } = payment;
  const { authorized_amount, captured_amount, released_amount, capturable_until } = payment;
  const isManual = payment.capture === 'manual';
  const line = (label: string, value: number | null | undefined): KeyValueItem => [
    label,
    value === null || value === undefined ? null : <Money amount={value} currency={currency} />,
  ];
  return (
    <Section title={texts.money} isCard>
      <KeyValue
        items={[
          line(texts.amount, amount),
          isManual && line(texts.authorized, authorized_amount),
          isManual && line(texts.captured, captured_amount),
          isManual && line(texts.released, released_amount || null),
          isManual && [texts.captureUntil, capturable_until && <Time at={capturable_until} />],
          line(texts.refunded, amount_refunded || null),
          payment.status === 'succeeded' && line(texts.refundable, leftToRefund(payment)),
          amount_disputed > 0 && line(texts.disputed, amount_disputed),
        ]}
      />
    </Section>
  );
}

function Details({ payment }: Facts) {
  const texts = useMessages(PAYMENT);
  const { country } = useFormats();
  const { provider, connection_id, psp_reference, fraud } = payment;
  return (
    <Section title={texts.details} isCard>
      <KeyValue
        items={[
          [texts.method, wordsOf(payment.method)],
          [texts.card, cardOf(payment)],
          [texts.email, payment.customer_email],
          [texts.country, payment.country && country(payment.country)],
          [texts.description, payment.description],
          [texts.provider, provider && providerName(provider)],
          [texts.connection, connection_id && <a href={`/dashboard/connections/${connection_id}`}>{connection_id}</a>],
          [texts.reference, psp_reference && <Id id={psp_reference} />],
          [texts.risk, fraud && [wordsOf(fraud.decision), ...fraud.reasons].join(' · ')],
          [texts.created, <Time key="created" at={payment.created_at} />],
          ['ID', <Id key="id" id={payment.id} />],
        ]}
      />
    </Section>
  );
}

/** As the provider has told it with the last attempt that knows a card. */
function cardOf({ attempts }: Payment): string | undefined {
  const card = attempts.findLast((attempt) => attempt.card)?.card;
  if (!card) return undefined;
  const { brand, last4, exp_month, exp_year } = card;
  const expires = exp_month && exp_year ? `${String(exp_month).padStart(2, '0')}/${exp_year}` : undefined;
  return [brand && wordsOf(brand), last4 && `•••• ${last4}`, expires].filter(Boolean).join(' ');
}

function Related({ payment }: Facts) {
  const texts = useMessages(PAYMENT);
  const { can } = useSession();
  const { customer_id, payment_link_id, invoice_id, amount_disputed, id } = payment;
  const links: readonly KeyValueItem[] = [
    [
      texts.customer,
      customer_id && <a href={`/dashboard/payments?customer_id=${encodeURIComponent(customer_id)}`}>{customer_id}</a>,
    ],
    [
      texts.link,
      payment_link_id && <Id id={payment_link_id} href={`/dashboard/payments/links?id=${payment_link_id}`} />,
    ],
    [
      texts.invoice,
      invoice_id && (
        <Id id={invoice_id} href={can('invoices:read') ? `/dashboard/invoices/${invoice_id}` : undefined} />
      ),
    ],
    [texts.savedMethod, payment.payment_method_id && <Id id={payment.payment_method_id} />],
    [
      texts.disputed,
      amount_disputed !== undefined && <a href={`/dashboard/disputes?payment_id=${id}`}>{texts.disputes}</a>,
    ],
  ];
  if (links.every(([, value]) => !value)) return null;
  return (
    <Section title={texts.related} isCard>
      <KeyValue items={links.map((link) => (link[1] ? link : false))} />
    </Section>
  );
}

function Metadata({ payment: { metadata } }: Facts) {
  const texts = useMessages(PAYMENT);
  const pairs = Object.entries(metadata).map(([name, value]) => [name, String(value)] as const);
  if (pairs.length === 0) return null;
  return (
    <Section title={texts.metadata} isCard>
      <KeyValue items={pairs} />
    </Section>
  );
}
