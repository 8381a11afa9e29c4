import { useMemo, useState } from 'preact/hooks';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PAYMENTS } from '#client/dashboard/screens/payments/payments.catalog.ts';
import type { PaymentsMessages } from '#client/dashboard/screens/payments/payments-messages.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { CopyButton } from '#client/dashboard/ui/copy-button.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import { Money } from '#client/dashboard/ui/values.tsx';
import type { PaymentLink } from '#client/typescript/src/generated/schemas.ts';

/** Each can be copied, and closed as long as customers can pay it. */
export function LinksTable({ links }: { readonly links: readonly PaymentLink[] }) {
  const texts = useMessages(PAYMENTS);
  const { can } = useSession();
  const { number } = useFormats();
  const [closing, close] = useState<PaymentLink>();
  const mayClose = can('payments:write');
  const columns = useMemo(
    () => [...columnsOf(texts, number), actionColumn(texts, mayClose, close)],
    [texts, number, mayClose],
  );
  return (
    <>
      <Table label={texts.links} columns={columns} rows={links} rowKey={({ id }) => id} />
      {closing && <DeactivateDialog link={closing} onClose={() => close(undefined)} />}
    </>
  );
}

const columnsOf = (texts: PaymentsMessages, number: (n: number) => string): readonly Column<PaymentLink>[] => [
  {
    key: 'amount',
    header: texts.amount,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    key: 'status',
    header: texts.status,
    cell: ({ status }) => <StatusBadge status={status} label={texts.linkStatuses[status]} />,
  },
  {
    key: 'description',
    header: texts.description,
    isWide: true,
    cell: ({ description, id }) => description ?? <code class="muted">{id}</code>,
  },
  {
    key: 'paid',
    header: texts.paid,
    cell: ({ payments_made, max_payments }) => (
      <span class="nowrap">{texts.paidOf(number(payments_made), number(max_payments))}</span>
    ),
  },
  {
    key: 'expires',
    header: texts.expires,
    cell: ({ expires_at }) => (
      <span class="nowrap">{expires_at === null ? texts.never : <Time at={expires_at} />}</span>
    ),
  },
  {
    key: 'created',
    header: texts.created,
    hideOn: 'phone',
    cell: ({ created_at }) => (
      <span class="nowrap">
        <Time at={created_at} />
      </span>
    ),
  },
];

const actionColumn = (
  texts: PaymentsMessages,
  canWrite: boolean,
  close: (link: PaymentLink) => void,
): Column<PaymentLink> => ({
  key: 'actions',
  header: texts.deactivate,
  isHeaderHidden: true,
  align: 'end',
  cell: (link) => (
    <span class="link-actions">
      <CopyButton text={link.url} />
      {canWrite && link.status === 'active' && (
        <Button size="small" onClick={() => close(link)}>
          {texts.deactivate}…
        </Button>
      )}
    </span>
  ),
});

type DialogProps = { readonly link: PaymentLink; readonly onClose: () => void };

function DeactivateDialog({ link, onClose }: DialogProps) {
  const texts = useMessages(PAYMENTS);
  const { money } = useFormats();
  return (
    <ConfirmDialog
      title={texts.deactivateTitle}
      confirm={texts.deactivate}
      tone="danger"
      input={{}}
      send={(api, input, options) => api.paymentLinks.deactivate(link.id, input, options)}
      onDone={() => {
        invalidate('payment-links', 'payment-link');
        showToast(texts.deactivated);
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        <strong>{money(link.amount, link.currency)}</strong> {link.description !== null && `· ${link.description}`}
      </p>
      <p>{texts.deactivateText}</p>
    </ConfirmDialog>
  );
}
