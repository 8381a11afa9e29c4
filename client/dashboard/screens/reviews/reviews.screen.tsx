import { useState } from 'preact/hooks';
import { serverNow } from '#client/dashboard/api/server-time.ts';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PAYMENT_WORDS } from '#client/dashboard/i18n/payment-words.catalog.ts';
import { EndReviewDialog } from '#client/dashboard/screens/reviews/end-review-dialog.tsx';
import { isReviewReason } from '#client/dashboard/screens/reviews/review-outcome.ts';
import { REVIEWS } from '#client/dashboard/screens/reviews/reviews.catalog.ts';
import type { ReviewMessages } from '#client/dashboard/screens/reviews/reviews-messages.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Badge, StatusBadge, wordsOf } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Page } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { Empty } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Nothing, Time } from '#client/dashboard/ui/time.tsx';
import { Money } from '#client/dashboard/ui/values.tsx';
import type { Payment } from '#client/typescript/src/generated/schemas.ts';

const EVERY = 60_000;

/** The queue of payments under review. */
export function ReviewsScreen() {
  const texts = useMessages(REVIEWS);
  const { can } = useSession();
  const [ending, end] = useState<Payment>();
  const pages = usePages(['reviews'], (api, options) => api.reports.listPaymentReviews({}, options), { every: EVERY });
  const { statuses } = useMessages(PAYMENT_WORDS);
  const columns = [...columnsOf(texts, statuses), ...(can('payments:write') ? [actionColumn(texts, end)] : [])];
  return (
    <Page title={texts.title} subtitle={texts.subtitle}>
      <PagedList
        pages={pages}
        empty={
          <Empty icon="reviews" title={texts.emptyTitle}>
            {texts.emptyText}
          </Empty>
        }
      >
        {(rows) => (
          <Table
            label={texts.list}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            href={({ id }) => `/dashboard/payments/${id}`}
            rowTone={(payment) => (isOverdue(payment) ? 'bad' : undefined)}
          />
        )}
      </PagedList>
      {ending && <EndReviewDialog payment={ending} onClose={() => end(undefined)} />}
    </Page>
  );
}

type Words = Readonly<Record<string, string>>;

const columnsOf = (texts: ReviewMessages, statuses: Words): readonly Column<Payment>[] => [
  {
    key: 'payment',
    header: texts.payment,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { key: 'reason', header: texts.reason, isWide: true, cell: (payment) => <Reason {...{ payment, texts }} /> },
  {
    key: 'status',
    header: texts.status,
    cell: ({ status }) => <StatusBadge status={status} label={statuses[status] ?? wordsOf(status)} />,
  },
  { key: 'waiting', header: texts.waiting, cell: ({ review }) => <Time at={review?.at} as="relative" /> },
  { key: 'deadline', header: texts.deadline, cell: (payment) => <Deadline {...{ payment, texts }} /> },
  {
    key: 'provider',
    header: texts.provider,
    hideOn: 'phone',
    cell: ({ provider, attempts }) => providerName(provider ?? attempts.at(-1)?.provider ?? ''),
  },
];

const actionColumn = (texts: ReviewMessages, end: (payment: Payment) => void): Column<Payment> => ({
  key: 'action',
  header: texts.end,
  isHeaderHidden: true,
  align: 'end',
  cell: (payment) => (
    <Button size="small" onClick={() => end(payment)}>
      {texts.end}…
    </Button>
  ),
});

type CellProps = { readonly payment: Payment; readonly texts: ReviewMessages };

function Reason({ payment: { review }, texts }: CellProps) {
  const reason = review?.reason ?? '';
  if (!isReviewReason(reason, texts)) return <>{wordsOf(reason)}</>;
  const { name, hint } = texts.reasons[reason];
  return <span title={hint}>{name}</span>;
}

/** Only an authorization has one: what is not captured by then goes back to the customer. */
function Deadline({ payment, texts }: CellProps) {
  if (!payment.capturable_until || payment.status !== 'authorized') return <Nothing />;
  return (
    <>
      <Time at={payment.capturable_until} as="relative" />{' '}
      {isOverdue(payment) && (
        <Badge tone="bad" icon="clock">
          {texts.overdue}
        </Badge>
      )}
    </>
  );
}

const isOverdue = ({ status, capturable_until }: Payment): boolean =>
  status === 'authorized' && !!capturable_until && Date.parse(capturable_until) <= serverNow().getTime();
