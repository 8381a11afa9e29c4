import { useState } from 'preact/hooks';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useFormats } from '#client/dashboard/i18n/i18n.tsx';
import { type Daily, LimitDialog } from '#client/dashboard/screens/developers/limit-dialog.tsx';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Button, LinkButton } from '#client/dashboard/ui/button.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Loaded } from '#client/dashboard/ui/states.tsx';
import { KeyValue } from '#client/dashboard/ui/values.tsx';

/** What the organization lets its agents do alone. */
export function AgentLimits() {
  const { isAtLeast } = useSession();
  const query = useQuery(['agent-limits'], (api, options) => api.agents.getLimits({}, options));
  const [isOpen, setOpen] = useState(false);
  const actions = (
    <>
      <LinkButton href="/dashboard/approvals">Approvals</LinkButton>
      {query.data && isAtLeast('admin') && <Button onClick={() => setOpen(true)}>Change limit…</Button>}
    </>
  );
  return (
    <Section
      title="Limits of agents"
      description="What each agent’s key may move within 24 hours without a person. Whatever would pass it waits for an approval, and so does every subscription."
      actions={actions}
    >
      <Loaded query={query}>{({ daily }) => <Limits daily={daily} />}</Loaded>
      {isOpen && query.data && <LimitDialog daily={query.data.daily} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function Limits({ daily }: { readonly daily: Daily }) {
  const { money } = useFormats();
  const limits = Object.entries(daily).sort();
  if (limits.length === 0) return <p class="muted">No limit is set: agents ask about everything that moves money.</p>;
  return (
    <KeyValue
      items={limits.map(([currency, amount]) => [currency, `${money(amount, currency)} a day for each key`] as const)}
    />
  );
}
