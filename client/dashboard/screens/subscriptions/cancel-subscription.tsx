import { useState } from 'preact/hooks';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { BILLING } from '#client/dashboard/screens/subscriptions/billing.catalog.ts';
import {
  afterSubscriptionChange,
  type SubscriptionDialogProps,
} from '#client/dashboard/screens/subscriptions/subscription-change.ts';
import { Radios } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';

type When = 'end' | 'now';

/** At the end of the period, as nothing is taken from the customer that is paid; or at once. */
export function CancelSubscriptionDialog({ subscription, onClose }: SubscriptionDialogProps) {
  const texts = useMessages(BILLING);
  const formats = useFormats();
  const { id, next_renewal_at, cancel_at_period_end } = subscription;
  const mayEndLater = !cancel_at_period_end;
  const [when, setWhen] = useState<When>(mayEndLater ? 'end' : 'now');
  const end = useEndOfPeriod(id, next_renewal_at);
  const options = [
    { value: 'end' as const, label: texts.cancelAtEnd, hint: end && texts.cancelAtEndHint(formats.date(end)) },
    { value: 'now' as const, label: texts.cancelNow, hint: texts.cancelNowHint },
  ];
  return (
    <ConfirmDialog
      title={texts.cancelTitle}
      confirm={texts.cancel}
      tone="danger"
      input={{ at_period_end: when === 'end' }}
      send={(api, input, options) => api.subscriptions.cancel(id, input, options)}
      onDone={({ status }) => {
        afterSubscriptionChange(status === 'canceled' ? texts.canceledToast : texts.changedToast);
        onClose();
      }}
      onClose={onClose}
    >
      <Radios
        label={texts.cancelWhen}
        value={when}
        options={options.filter(({ value }) => mayEndLater || value === 'now')}
        onValue={setWhen}
      />
    </ConfirmDialog>
  );
}

/** Of a paused one only its next dates say it: nothing renews. */
function useEndOfPeriod(id: string, nextRenewal: string | null): string | undefined {
  const query = useQuery(
    ['subscription', id, 'end'],
    (api, options) => api.subscriptions.getUpcomingPeriods(id, {}, options),
    { enabled: nextRenewal === null },
  );
  return nextRenewal ?? query.data?.periods[0]?.start;
}
