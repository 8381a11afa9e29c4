import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { TODAY } from '#client/dashboard/screens/today/today.catalog.ts';
import { Bars } from '#client/dashboard/ui/bars.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { usePaymentWords } from '#client/dashboard/ui/payment-words.ts';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Nothing } from '#client/dashboard/ui/values.tsx';
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
      actions={failed > 0 && <a href={`/dashboard/payments?status=failed&created_from=${from}`}>{number(failed)}</a>}
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
  const { number, percent, moneyShort, duration } = useFormats();
  const columns: readonly Column<Provider>[] = [
    {
      key: 'provider',
      header: messages.provider,
      cell: ({ provider }) => (provider === null ? messages.noProvider : providerName(provider)),
    },
    { key: 'payments', header: messages.payments, align: 'end', cell: ({ total }) => number(total) },
    {
      key: 'success',
      header: messages.successRate,
      align: 'end',
      cell: ({ success_rate }) => (success_rate === null ? <Nothing /> : percent(success_rate)),
    },
    {
      key: 'volume',
      header: messages.volume,
      align: 'end',
      cell: ({ money }) => moneyShort(money.find((one) => one.currency === currency)?.volume ?? 0, currency),
    },
    {
      key: 'latency',
      header: messages.latency,
      align: 'end',
      hideOn: 'phone',
      cell: ({ latency }) => (latency.average_ms === null ? <Nothing /> : duration(latency.average_ms)),
    },
  ];
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
