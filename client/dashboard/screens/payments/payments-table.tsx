import { useMemo } from 'preact/hooks';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PaymentBadges } from '#client/dashboard/screens/payments/payment-badges.tsx';
import { PAYMENTS } from '#client/dashboard/screens/payments/payments.catalog.ts';
import type { PaymentsMessages } from '#client/dashboard/screens/payments/payments-messages.ts';
import { Badge, wordsOf } from '#client/dashboard/ui/badge.tsx';
import { usePaymentWords } from '#client/dashboard/ui/payment-words.ts';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Nothing, Time } from '#client/dashboard/ui/time.tsx';
import { Money } from '#client/dashboard/ui/values.tsx';
import type { Payment } from '#client/typescript/src/generated/schemas.ts';

type TableProps = { readonly label: string; readonly payments: readonly Payment[] };

export function PaymentsTable({ label, payments }: TableProps) {
  const texts = useMessages(PAYMENTS);
  return (
    <Table
      label={label}
      columns={useMemo(() => columnsOf(texts), [texts])}
      rows={payments}
      rowKey={({ id }) => id}
      href={({ id }) => `/dashboard/payments/${id}`}
      rowTone={({ review }) => (review ? 'warn' : undefined)}
    />
  );
}

const columnsOf = (texts: PaymentsMessages): readonly Column<Payment>[] => [
  {
    key: 'amount',
    header: texts.amount,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { key: 'status', header: texts.status, cell: (payment) => <Status payment={payment} /> },
  { key: 'method', header: texts.method, cell: (payment) => <span class="nowrap">{methodOf(payment)}</span> },
  {
    key: 'customer',
    header: texts.customer,
    cell: ({ customer_email, customer_id }) => <span class="cut">{customer_email ?? customer_id ?? <Nothing />}</span>,
  },
  {
    key: 'description',
    header: texts.description,
    isWide: true,
    hideOn: 'phone',
    cell: ({ description, id }) => description ?? <code class="muted">{id}</code>,
  },
  {
    key: 'created',
    header: texts.created,
    align: 'end',
    cell: ({ created_at }) => (
      <span class="nowrap">
        <Time at={created_at} />
      </span>
    ),
  },
];

const methodOf = ({ method, provider }: Payment): string =>
  provider === null ? wordsOf(method) : `${wordsOf(method)} · ${providerName(provider)}`;

/** With what the status alone does not say, such as why it failed. */
function Status({ payment }: { readonly payment: Payment }) {
  const texts = useMessages(PAYMENTS);
  const { failureWords } = usePaymentWords();
  const { failure, review } = payment;
  return (
    <span class="payment-status">
      <PaymentBadges payment={payment} />
      {review && (
        <Badge tone="warn" icon="reviews">
          {texts.underReview}
        </Badge>
      )}
      {failure && (
        <span class="muted" title={failure.message}>
          {failureWords(failure.code)}
        </span>
      )}
    </span>
  );
}
