import type { ComponentChildren } from 'preact';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PAYMENT } from '#client/dashboard/screens/payment/payment.catalog.ts';
import type { PaymentMessages } from '#client/dashboard/screens/payment/payment-messages.ts';
import type { Entry } from '#client/dashboard/screens/payment/timeline-kinds.ts';
import { EntryText } from '#client/dashboard/screens/payment/timeline-texts.tsx';
import type { Tone } from '#client/dashboard/ui/alert.tsx';
import { StatusBadge } from '#client/dashboard/ui/badge.tsx';
import type { IconName } from '#client/dashboard/ui/icon.tsx';
import { usePaymentWords } from '#client/dashboard/ui/payment-words.ts';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import type { TimelineEntry } from '#client/dashboard/ui/timeline.tsx';
import { Money } from '#client/dashboard/ui/values.tsx';
import type { Payment } from '#client/typescript/src/generated/schemas.ts';

/** Shows an entry of the API's timeline in the language of the page. */
export function useTimelineLine(payment: Payment): (entry: Entry, place: number) => TimelineEntry {
  const texts = useMessages(PAYMENT);
  const { statusWords } = usePaymentWords();
  return (entry, place) => ({
    key: `${place} ${entry.kind}`,
    at: entry.at,
    title: titleOf(entry, texts),
    tone: toneOf(entry),
    icon: ICONS[entry.kind],
    aside: asideOf(entry, statusWords),
    children: <EntryText entry={entry} payment={payment} />,
  });
}

function titleOf(entry: Entry, texts: PaymentMessages): string {
  if (entry.kind === 'attempt') return texts.attempt(entry.number, providerName(entry.provider));
  if (entry.kind === 'event') return entry.type;
  return entry.kind === 'action' ? texts.acts[entry.action] : texts.kinds[entry.kind];
}

const ICONS: Readonly<Record<Entry['kind'], IconName>> = {
  created: 'plus',
  fraud_checked: 'lock',
  routed: 'routing',
  attempt: 'connections',
  polled: 'clock',
  review: 'reviews',
  capture: 'download',
  release: 'external',
  refund: 'refund',
  dispute: 'disputes',
  dispute_answer: 'disputes',
  dispute_closed: 'disputes',
  action: 'user',
  receipt: 'mail',
  callback: 'connections',
  event: 'webhooks',
  workflow_run: 'workflows',
};

const TONES: Readonly<Record<string, Tone>> = {
  ...{ succeeded: 'good', delivered: 'good', authorized: 'info', processing: 'info', pending: 'info' },
  ...{ failed: 'bad', refused: 'bad', requires_action: 'warn', waiting: 'info' },
};

function toneOf(entry: Entry): Tone {
  if (entry.kind === 'review' || entry.kind === 'dispute') return 'warn';
  return ('status' in entry && TONES[entry.status]) || 'neutral';
}

function asideOf(entry: Entry, statusWords: (status: string) => string): ComponentChildren {
  const amount = 'amount' in entry && <Money amount={entry.amount} currency={entry.currency} />;
  const status = 'status' in entry && <StatusBadge status={entry.status} label={statusWords(entry.status)} />;
  if (!amount && !status) return undefined;
  return (
    <>
      {amount} {status}
    </>
  );
}
