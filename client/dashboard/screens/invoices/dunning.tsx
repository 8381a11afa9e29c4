import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { BILLING } from '#client/dashboard/screens/subscriptions/billing.catalog.ts';
import type { BillingMessages } from '#client/dashboard/screens/subscriptions/billing-messages.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { usePaymentWords } from '#client/dashboard/ui/payment-words.ts';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { Loaded } from '#client/dashboard/ui/states.tsx';
import { Timeline, type TimelineEntry } from '#client/dashboard/ui/timeline.tsx';
import type { Dunning as DunningData, Invoice, Payment } from '#client/typescript/src/index.ts';

/** The attempts so far, and the retries that follow if each fails. */
export function Dunning({ invoice }: { readonly invoice: Invoice }) {
  const texts = useMessages(BILLING);
  const { id, updated_at } = invoice;
  const query = useQuery(['dunning', id, updated_at], (api, options) => api.invoices.getDunning(id, {}, options));
  const payment = usePayment(invoice);
  return (
    <Section
      title={texts.dunning}
      description={query.data && texts.dunningHint(texts.policyOf[query.data.policy.source])}
      isCard
    >
      <Loaded query={query} rows={4}>
        {(dunning) => <Steps {...{ invoice, dunning, payment }} />}
      </Loaded>
    </Section>
  );
}

/** What the provider said of each attempt. Without the right to read payments, only how many there were. */
function usePayment({ payment_id, updated_at }: Invoice): Payment | undefined {
  const { can } = useSession();
  return useQuery(
    ['payment', payment_id, updated_at],
    (api, options) => api.payments.get(payment_id ?? '', {}, options),
    { enabled: payment_id !== null && can('payments:read') },
  ).data;
}

type StepsProps = {
  readonly invoice: Invoice;
  readonly dunning: DunningData;
  readonly payment: Payment | undefined;
};

function Steps({ invoice, dunning, payment }: StepsProps) {
  const texts = useMessages(BILLING);
  const { number } = useFormats();
  const { failureWords } = usePaymentWords();
  const planned = dunning.planned.map(
    ({ retry, at }): TimelineEntry => ({
      key: `retry-${retry}`,
      at,
      title: texts.retryNumber(number(retry)),
      icon: 'clock',
      tone: 'info',
      aside: texts.planned,
    }),
  );
  const made = payment
    ? attemptsOf(payment, { texts, number, failureWords })
    : [summaryOf(invoice, dunning, texts, number)];
  return (
    <>
      <Timeline label={texts.dunning} entries={[...made, ...planned]} />
      {planned.length > 0 && <p class="muted">{texts.thenFails}</p>}
    </>
  );
}

type Words = {
  readonly texts: BillingMessages;
  readonly number: (value: number) => string;
  readonly failureWords: (code: string) => string;
};

/** Newest last: what follows stands below. */
const attemptsOf = ({ attempts }: Payment, { texts, number, failureWords }: Words): readonly TimelineEntry[] =>
  attempts.map(({ id, started_at, status, failure, provider }, n) => {
    const isPaid = status === 'succeeded';
    const hasFailed = status === 'failed';
    const outcome = isPaid ? texts.attemptPaid : texts.attemptRunning;
    return {
      key: id,
      at: started_at,
      title: texts.attemptNumber(number(n + 1)),
      ...lookOf(isPaid, hasFailed),
      aside: hasFailed ? texts.attemptFailed : outcome,
      ...(hasFailed && failure && { children: `${failureWords(failure.code)} (${providerName(provider)})` }),
    };
  });

function lookOf(isPaid: boolean, hasFailed: boolean): Pick<TimelineEntry, 'tone' | 'icon'> {
  if (isPaid) return { tone: 'good', icon: 'check' };
  return hasFailed ? { tone: 'bad', icon: 'close' } : { tone: 'info', icon: 'clock' };
}

const summaryOf = (
  invoice: Invoice,
  { attempts, collecting }: DunningData,
  texts: BillingMessages,
  number: (value: number) => string,
): TimelineEntry => ({
  key: 'attempts',
  at: invoice.updated_at,
  title: `${texts.attempts}: ${number(attempts)}`,
  ...lookOf(invoice.status === 'paid', invoice.status !== 'paid' && !collecting),
});
