import type { Formats } from '#client/dashboard/i18n/formats.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { TODAY } from '#client/dashboard/screens/today/today.catalog.ts';
import type { TodayMessages } from '#client/dashboard/screens/today/today-messages.ts';
import { Bars } from '#client/dashboard/ui/bars.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { usePaymentWords } from '#client/dashboard/ui/payment-words.ts';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Nothing } from '#client/dashboard/ui/time.tsx';
import type { PaymentStats } from '#client/typescript/src/index.ts';

/** As many as can be read at a glance. */
const MAX_REASONS = 6;

type FailureReasonsProps = { readonly stats: PaymentStats; readonly from: string };

export function FailureReasons({ stats, from }: FailureReasonsProps) {
  const messages = useMessages(TODAY);
  const { failureWords } = usePaymentWords();
  const { number, percent } = useFormats();
  const failed = stats.by_reason.reduce((total, { count }) => total + count, 0);
  const bars = stats.by_reason.slice(0, MAX_REASONS).map(({ code, count }) => ({
    key: code ?? '',
    label: code === null ? messages.unknownReason : failureWords(code),
    value: count,
    text: `${number(count)} · ${percent(count / failed)}`,
    tone: 'bad' as const,
  }));
  return (
    <Section
      isCard
      title={messages.failures}
      actions={failed > 0 && <a href={`/dashboard/payments?status=failed&from=${from}`}>{number(failed)}</a>}
    >
      {failed === 0 ? (
        <p class="muted">{messages.noFailures}</p>
      ) : (
        <Bars label={messages.failures} bars={bars} max={failed} />
      )}
    </Section>
  );
}

type Provider = PaymentStats['by_provider'][number];

export function Providers({ stats, currency }: { readonly stats: PaymentStats; readonly currency: string }) {
  const messages = useMessages(TODAY);
  const columns = columnsOf(messages, useFormats(), currency);
  return (
    <Section title={messages.providers}>
      <Table
        label={messages.providers}
        isCompact
        columns={columns}
        rows={stats.by_provider.toSorted((a, b) => b.total - a.total)}
        rowKey={({ provider }) => provider ?? ''}
      />
    </Section>
  );
}

function columnsOf(messages: TodayMessages, formats: Formats, currency: string): readonly Column<Provider>[] {
  const { number, percent, moneyShort, duration } = formats;
  const nameOf = (name: string | null): string => (name === null ? messages.noProvider : providerName(name));
  const volumeOf = ({ money }: Provider): number => money.find((one) => one.currency === currency)?.volume ?? 0;
  const orNothing = (value: number | null, write: (value: number) => string) =>
    value === null ? <Nothing /> : write(value);
  const column = (key: string, header: string, cell: Column<Provider>['cell']) =>
    ({ key, header, cell, align: 'end' }) as const;
  return [
    { key: 'provider', header: messages.provider, cell: ({ provider }) => nameOf(provider) },
    column('payments', messages.payments, ({ total }) => number(total)),
    column('success', messages.successRate, ({ success_rate }) => orNothing(success_rate, percent)),
    column('volume', messages.volume, (row) => moneyShort(volumeOf(row), currency)),
    {
      ...column('latency', messages.latency, ({ latency }) => orNothing(latency.average_ms, duration)),
      hideOn: 'phone',
    },
  ];
}
