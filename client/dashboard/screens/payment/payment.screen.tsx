import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { ADVICE } from '#client/dashboard/screens/payment/failure-advice.ts';
import { PAYMENT } from '#client/dashboard/screens/payment/payment.catalog.ts';
import { PaymentActions } from '#client/dashboard/screens/payment/payment-actions.tsx';
import { PaymentFacts } from '#client/dashboard/screens/payment/payment-facts.tsx';
import { PaymentHistory } from '#client/dashboard/screens/payment/payment-history.tsx';
import { isMoving } from '#client/dashboard/screens/payment/what-is-possible.ts';
import { PaymentBadges } from '#client/dashboard/screens/payments/payment-badges.tsx';
import { Alert, type Tone } from '#client/dashboard/ui/alert.tsx';
import { JsonView } from '#client/dashboard/ui/code.tsx';
import { Columns, Page, Section } from '#client/dashboard/ui/page.tsx';
import { usePaymentWords } from '#client/dashboard/ui/payment-words.ts';
import { Loaded } from '#client/dashboard/ui/states.tsx';
import { Segments } from '#client/dashboard/ui/tabs.tsx';
import { Money } from '#client/dashboard/ui/values.tsx';
import type { Failure, Payment, PaymentTimeline } from '#client/typescript/src/generated/schemas.ts';

const SOON_MS = 3_000;

export function PaymentScreen() {
  const { id = '' } = useRoute().params;
  const texts = useMessages(PAYMENT);
  const [every, repeat] = useState<number>();
  const query = useQuery(['payment', id], (api, options) => api.payments.get(id, {}, options), { every });
  const timeline = useQuery(['timeline', id], (api, options) => api.reports.getPaymentTimeline(id, {}, options), {
    every,
  });
  const next = isUnderWay(query.data, timeline.data) ? SOON_MS : undefined;
  if (next !== every) repeat(next);
  const crumbs = [{ label: texts.payments, href: '/dashboard/payments' }];
  const { data: payment } = query;
  if (!payment)
    return (
      <Page title={texts.payment} breadcrumbs={crumbs}>
        <Loaded query={query} rows={10}>
          {() => null}
        </Loaded>
      </Page>
    );
  return (
    <OnePayment payment={payment}>
      <Loaded query={timeline} rows={8}>
        {(data) => <PaymentHistory payment={payment} timeline={data} />}
      </Loaded>
    </OnePayment>
  );
}

/** A delivery of an event comes seconds after the change that it tells. */
const isUnderWay = (payment: Payment | undefined, timeline: PaymentTimeline | undefined): boolean =>
  (payment !== undefined && isMoving(payment)) ||
  (timeline?.entries ?? []).some(
    (entry) => entry.kind === 'event' && entry.status === 'pending' && entry.deliveries.length === 0,
  );

/** Isolated, so that right-to-left text does not change places with what is next to it. */
const inARow = (text: string | null, place: number) => (
  <span key={place}>
    {place > 0 && ' · '}
    <bdi>{text}</bdi>
  </span>
);

type OnePaymentProps = { readonly payment: Payment; readonly children: ComponentChildren };

function OnePayment({ payment, children }: OnePaymentProps) {
  const texts = useMessages(PAYMENT);
  const { money } = useFormats();
  const [view, setView] = useState<'timeline' | 'json'>('timeline');
  const { amount, currency, description, customer_id } = payment;
  const about = [customer_id, description].filter((text) => text);
  return (
    <Page
      title={`${texts.payment} ${money(amount, currency)}`}
      heading={<Money amount={amount} currency={currency} />}
      badge={<PaymentBadges payment={payment} />}
      subtitle={about.length === 0 ? payment.id : about.map(inARow)}
      breadcrumbs={[{ label: texts.payments, href: '/dashboard/payments' }]}
      actions={<PaymentActions payment={payment} />}
    >
      <State payment={payment} />
      <Columns layout="side">
        <Section
          title={view === 'json' ? 'JSON' : texts.timeline}
          description={view === 'json' ? undefined : texts.timelineHint}
          actions={<ViewChoice view={view} onView={setView} />}
        >
          {view === 'json' ? <JsonView label="JSON" value={payment} isTall /> : children}
        </Section>
        <PaymentFacts payment={payment} />
      </Columns>
    </Page>
  );
}

type ViewChoiceProps = {
  readonly view: 'timeline' | 'json';
  readonly onView: (view: 'timeline' | 'json') => void;
};

function ViewChoice({ view, onView }: ViewChoiceProps) {
  const texts = useMessages(PAYMENT);
  return (
    <Segments
      label={texts.views}
      value={view}
      onValue={onView}
      options={[
        { value: 'timeline', label: texts.timeline },
        { value: 'json', label: 'JSON' },
      ]}
    />
  );
}

/** What a person should know at once. */
function State({ payment: { failure, review, late_success, next_action, status } }: { readonly payment: Payment }) {
  const texts = useMessages(PAYMENT);
  const notes: readonly (readonly [Tone, string | false | undefined])[] = [
    ['warn', review !== null && texts.review],
    ['info', late_success && texts.late],
    ['info', status === 'requires_action' && next_action !== null && texts.nextAction],
  ];
  const reason = status === 'failed' ? failure : null;
  if (reason === null && notes.every(([, text]) => !text)) return null;
  return (
    <Section>
      {reason && <FailureAlert failure={reason} />}
      {notes.map(
        ([tone, text]) =>
          text && (
            <Alert key={text} tone={tone} isLive={false}>
              <p>{text}</p>
            </Alert>
          ),
      )}
    </Section>
  );
}

/** Why it failed, and what the team can do about it. */
function FailureAlert({ failure: { code, message } }: { readonly failure: Failure }) {
  const { advice } = useMessages(PAYMENT);
  const { failureWords } = usePaymentWords();
  const known = ADVICE[code];
  return (
    <Alert tone="bad" isLive={false} title={failureWords(code)}>
      <p>{known === undefined ? message : advice[known]}</p>
    </Alert>
  );
}
