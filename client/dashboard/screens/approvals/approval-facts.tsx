import { useNames } from '#client/dashboard/api/use-names.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { APPROVALS } from '#client/dashboard/screens/approvals/approvals.catalog.ts';
import type { ApprovalMessages } from '#client/dashboard/screens/approvals/approvals-messages.ts';
import { Time } from '#client/dashboard/ui/time.tsx';
import { Id, KeyValue, Money } from '#client/dashboard/ui/values.tsx';
import type { AgentApproval } from '#client/typescript/src/generated/schemas.ts';

type ApprovalProps = { readonly approval: AgentApproval };

/** An operation that is newer than these texts is shown as the API calls it. */
export const operationName = ({ operations }: ApprovalMessages, operation: string): string =>
  (operations as Readonly<Record<string, string>>)[operation] ?? operation;

export function ApprovalAmount({ approval: { amount, currency } }: ApprovalProps) {
  const texts = useMessages(APPROVALS);
  if (amount === null || currency === null) return <span class="muted">{texts.amountUnknown}</span>;
  return <Money amount={amount} currency={currency} />;
}

/** Where the things are shown that agents ask about. */
const SCREENS: Readonly<Record<string, string>> = {
  pay: 'payments',
  inv: 'invoices',
  sub: 'subscriptions',
  disp: 'disputes',
};

/** The thing that it is about: a new one has no address yet. */
export function ApprovalResource({ approval: { resource_id } }: ApprovalProps) {
  if (resource_id === null) return null;
  const screen = SCREENS[resource_id.slice(0, resource_id.indexOf('_'))];
  return <Id id={resource_id} href={screen && `/dashboard/${screen}/${resource_id}`} canCopy={false} />;
}

export function ApprovalFacts({ approval }: ApprovalProps) {
  const texts = useMessages(APPROVALS);
  const nameOf = useNames();
  const { operation, key_id, agent_name, customer_id, description, created_at, expires_at, resource_id } = approval;
  const { terms, decided_by, decided_at, used_at, status } = approval;
  return (
    <KeyValue
      items={[
        [texts.what, operationName(texts, operation)],
        [texts.amount, <ApprovalAmount key="amount" approval={approval} />],
        resource_id !== null && [texts.about, <ApprovalResource key="about" approval={approval} />],
        [texts.customer, customer_id],
        [texts.description, description],
        ...Object.entries(terms).map(([field, value]) => [field, String(value)] as const),
        [texts.key, nameOf(key_id)],
        [texts.program, agent_name],
        [texts.asked, <Time key="asked" at={created_at} />],
        status === 'pending' && [texts.until, <Time key="until" at={expires_at} />],
        [texts.decidedBy, decided_by && nameOf(decided_by)],
        decided_at !== null && [texts.decidedAt, <Time key="decided" at={decided_at} />],
        used_at !== null && [texts.usedAt, <Time key="used" at={used_at} />],
      ]}
    />
  );
}
