import type { Formats, PluralForms } from '#client/dashboard/i18n/formats.ts';
import type { AttentionGroupProps } from '#client/dashboard/screens/today/attention-list.tsx';
import type { TodayMessages } from '#client/dashboard/screens/today/today-messages.ts';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { Time } from '#client/dashboard/ui/time.tsx';
import type { Attention } from '#client/typescript/src/index.ts';

type Counted = { readonly count: number; readonly more: boolean };

/** The kinds that have something, the most pressing first. What the person may not read is null, and left out. */
export function attentionOf(
  attention: Attention,
  messages: TodayMessages,
  formats: Formats,
): readonly AttentionGroupProps[] {
  const titleOf = ({ count, more }: Counted, forms: PluralForms): string => {
    const title = formats.plural(count, forms);
    return more ? title.replace(formats.number(count), messages.moreThan(formats.number(count))) : title;
  };
  const groups = [
    connectionsGroup(attention, messages, titleOf),
    disputesGroup(attention, messages, titleOf, formats),
    approvalsGroup(attention, messages, titleOf, formats),
    ...webhookGroups(attention, messages, titleOf),
    reviewsGroup(attention, messages, titleOf, formats),
    invoicesGroup(attention, messages, titleOf, formats),
  ];
  return groups.filter((group) => group !== undefined);
}

type TitleOf = (counted: Counted, forms: PluralForms) => string;
type Group = AttentionGroupProps | undefined;

function connectionsGroup({ connections }: Attention, messages: TodayMessages, titleOf: TitleOf): Group {
  if (!connections?.count) return undefined;
  return {
    title: titleOf(connections, messages.connections),
    href: '/dashboard/connections',
    isUrgent: connections.items.some(({ health_status }) => health_status === 'down'),
    items: connections.items.map(({ id, provider, health_status }) => ({
      key: id,
      href: `/dashboard/connections/${id}`,
      text: `${providerName(provider)}: ${messages[health_status]}`,
    })),
  };
}

function disputesGroup({ disputes }: Attention, messages: TodayMessages, titleOf: TitleOf, { money }: Formats): Group {
  if (disputes.count === 0) return undefined;
  return {
    title: titleOf(disputes, messages.disputes),
    href: '/dashboard/disputes',
    isUrgent: true,
    items: disputes.items.map(({ id, amount, currency, respond_by, overdue }) => ({
      key: id,
      href: `/dashboard/disputes/${id}`,
      text: (
        <>
          {money(amount, currency)}
          {respond_by !== null && (
            <>
              , {overdue ? messages.overdue : messages.answerUntil} <Time at={respond_by} as="date" />
            </>
          )}
        </>
      ),
    })),
  };
}

function approvalsGroup(
  { approvals }: Attention,
  messages: TodayMessages,
  titleOf: TitleOf,
  { money }: Formats,
): Group {
  if (!approvals?.count) return undefined;
  return {
    title: titleOf(approvals, messages.approvals),
    href: '/dashboard/approvals',
    isUrgent: false,
    items: approvals.items.map(({ id, amount, currency, expires_at }) => ({
      key: id,
      href: `/dashboard/approvals/${id}`,
      text: (
        <>
          {amount !== null && currency !== null && `${money(amount, currency)}, `}
          {messages.answerUntil} <Time at={expires_at} />
        </>
      ),
    })),
  };
}

function webhookGroups({ webhooks }: Attention, messages: TodayMessages, titleOf: TitleOf): readonly Group[] {
  if (!webhooks) return [];
  const { state, failing_since, failed_events } = webhooks;
  const isBroken = state === 'failing' || state === 'disabled';
  return [
    isBroken
      ? {
          title: state === 'failing' ? messages.webhooksFailing : messages.webhooksDisabled,
          href: '/dashboard/webhooks',
          isUrgent: true,
          items:
            failing_since === null
              ? []
              : [{ key: 'since', href: '/dashboard/webhooks', text: <Time at={failing_since} /> }],
        }
      : undefined,
    failed_events.count > 0
      ? {
          title: titleOf(failed_events, messages.events),
          href: '/dashboard/webhooks/events?status=failed',
          isUrgent: false,
          items: failed_events.items.map(({ id }) => ({ key: id, href: `/dashboard/webhooks/events/${id}`, text: id })),
        }
      : undefined,
  ];
}

function reviewsGroup({ reviews }: Attention, messages: TodayMessages, titleOf: TitleOf, { money }: Formats): Group {
  if (reviews.count === 0) return undefined;
  return {
    title: titleOf(reviews, messages.reviews),
    href: '/dashboard/reviews',
    isUrgent: false,
    items: reviews.items.map(({ payment_id, amount, currency, since, capturable_until }) => ({
      key: payment_id,
      href: `/dashboard/payments/${payment_id}`,
      text: (
        <>
          {money(amount, currency)}, {capturable_until === null ? messages.waitingFor : messages.captureUntil}{' '}
          <Time at={capturable_until ?? since} as={capturable_until === null ? 'elapsed' : 'date'} />
        </>
      ),
    })),
  };
}

function invoicesGroup({ invoices }: Attention, messages: TodayMessages, titleOf: TitleOf, { money }: Formats): Group {
  if (!invoices?.count) return undefined;
  return {
    title: titleOf(invoices, messages.invoices),
    href: '/dashboard/invoices?status=open',
    isUrgent: false,
    items: invoices.items.map(({ id, amount, currency, next_retry_at }) => ({
      key: id,
      href: `/dashboard/invoices/${id}`,
      text: (
        <>
          {money(amount, currency)},{' '}
          {next_retry_at === null ? (
            messages.noRetry
          ) : (
            <>
              {messages.nextRetry} <Time at={next_retry_at} as="date" />
            </>
          )}
        </>
      ),
    })),
  };
}
