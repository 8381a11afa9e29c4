import { useState } from 'preact/hooks';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { BILLING } from '#client/dashboard/screens/subscriptions/billing.catalog.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { Invoice } from '#client/typescript/src/index.ts';

type InvoiceProps = { readonly invoice: Invoice };
type DialogProps = InvoiceProps & { readonly onClose: () => void };

/** An open or failed invoice can be collected now, or given up. */
export function InvoiceActions({ invoice }: InvoiceProps) {
  const texts = useMessages(BILLING);
  const { can } = useSession();
  const [open, setOpen] = useState<'retry' | 'cancel'>();
  if (!can('invoices:write') || (invoice.status !== 'open' && invoice.status !== 'failed')) return null;
  const close = () => setOpen(undefined);
  return (
    <>
      <Button icon="retry" onClick={() => setOpen('retry')}>
        {texts.retryNow}
      </Button>
      <Button tone="danger" onClick={() => setOpen('cancel')}>
        {texts.cancelInvoice}
      </Button>
      {open === 'retry' && <RetryDialog invoice={invoice} onClose={close} />}
      {open === 'cancel' && <CancelDialog invoice={invoice} onClose={close} />}
    </>
  );
}

function afterInvoiceChange(toast: string, status: Invoice['status']): void {
  invalidate('invoice', 'invoices', 'dunning', 'payment', 'payments', 'subscription', 'subscriptions', 'attention');
  showToast(toast, status === 'failed' || status === 'open' ? 'warn' : 'good');
}

function RetryDialog({ invoice: { id, amount, currency }, onClose }: DialogProps) {
  const texts = useMessages(BILLING);
  const { money } = useFormats();
  return (
    <ConfirmDialog
      title={texts.retryTitle}
      confirm={texts.retryNow}
      input={{}}
      send={(api, input, options) => api.invoices.retry(id, input, options)}
      onDone={({ status }) => {
        afterInvoiceChange(texts.retriedToast[status], status);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{texts.retryText(money(amount, currency))}</p>
    </ConfirmDialog>
  );
}

function CancelDialog({ invoice: { id }, onClose }: DialogProps) {
  const texts = useMessages(BILLING);
  return (
    <ConfirmDialog
      title={texts.cancelInvoiceTitle}
      confirm={texts.cancelInvoice}
      tone="danger"
      input={{}}
      send={(api, input, options) => api.invoices.cancel(id, input, options)}
      onDone={({ status }) => {
        afterInvoiceChange(texts.invoiceCanceledToast, status);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{texts.cancelInvoiceText}</p>
    </ConfirmDialog>
  );
}
