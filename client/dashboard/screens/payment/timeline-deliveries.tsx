import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PAYMENT } from '#client/dashboard/screens/payment/payment.catalog.ts';
import type { EntryOf } from '#client/dashboard/screens/payment/timeline-kinds.ts';
import { Time } from '#client/dashboard/ui/time.tsx';
import { Id } from '#client/dashboard/ui/values.tsx';

/** What the merchant's endpoint said to each delivery of an event. */
export function Deliveries({ entry }: { readonly entry: EntryOf<'event'> }) {
  const texts = useMessages(PAYMENT);
  const { duration } = useFormats();
  const { event_id, deliveries, next_attempt_at, status } = entry;
  return (
    <>
      <p class="muted">
        <Id id={event_id} href={`/dashboard/webhooks/events/${event_id}`} />
      </p>
      {deliveries.length > 0 && (
        <ul class="plain" aria-label={texts.deliveries}>
          {deliveries.map(({ at, status_code, duration_ms, error }) => (
            <li key={at}>
              {texts.after(
                status_code === null ? (error ?? texts.noResponse) : `HTTP ${status_code}`,
                duration(duration_ms),
              )}
              {deliveries.length > 1 && (
                <>
                  {' · '}
                  <Time at={at} />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {status === 'pending' && next_attempt_at && deliveries.length > 0 && (
        <p class="muted">
          {texts.nextTry}: <Time at={next_attempt_at} as="relative" />
        </p>
      )}
    </>
  );
}
