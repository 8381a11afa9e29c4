import { useState } from 'preact/hooks';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { ApprovalAmount, ApprovalFacts, operationName } from '#client/dashboard/screens/approvals/approval-facts.tsx';
import { APPROVALS } from '#client/dashboard/screens/approvals/approvals.catalog.ts';
import { type Decision, DecisionDialog } from '#client/dashboard/screens/approvals/decision-dialog.tsx';
import { type Scope, useSession } from '#client/dashboard/shell/session.tsx';
import { Alert } from '#client/dashboard/ui/alert.tsx';
import { StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Page, Section } from '#client/dashboard/ui/page.tsx';
import { Loaded } from '#client/dashboard/ui/states.tsx';
import type { AgentApproval } from '#client/typescript/src/generated/schemas.ts';

const EVERY = 30_000;

/** One request: its address is what the agent tells the person who asks for it. */
export function OneApproval({ id }: { readonly id: string }) {
  const texts = useMessages(APPROVALS);
  const query = useQuery(['approval', id], (api, options) => api.agents.getApproval(id, {}, options), {
    every: EVERY,
  });
  if (query.data) return <Shown approval={query.data} />;
  return (
    <Page title={texts.request} breadcrumbs={[{ label: texts.title, href: '/dashboard/approvals' }]}>
      <Loaded query={query} rows={6}>
        {() => null}
      </Loaded>
    </Page>
  );
}

function Shown({ approval }: { readonly approval: AgentApproval }) {
  const texts = useMessages(APPROVALS);
  const { can } = useSession();
  const [decision, decide] = useState<Decision>();
  const { status, operation, scope } = approval;
  const isOpen = status === 'pending';
  const mayDecide = can(scope as Scope);
  return (
    <Page
      title={operationName(texts, operation)}
      badge={<StatusBadge status={status} label={texts.statuses[status].name} />}
      subtitle={<ApprovalAmount approval={approval} />}
      breadcrumbs={[{ label: texts.title, href: '/dashboard/approvals' }]}
      actions={isOpen && mayDecide && <Actions decide={(isApproved) => decide({ approval, isApproved })} />}
    >
      <Section>
        <Alert tone={isOpen ? 'warn' : 'neutral'}>
          <p>{texts.statuses[status].means}</p>
          {isOpen && !mayDecide && <p>{texts.cannotDecide}</p>}
        </Alert>
      </Section>
      <Section title={texts.request}>
        <ApprovalFacts approval={approval} />
      </Section>
      {decision && <DecisionDialog {...decision} onClose={() => decide(undefined)} />}
    </Page>
  );
}

function Actions({ decide }: { readonly decide: (isApproved: boolean) => void }) {
  const texts = useMessages(APPROVALS);
  return (
    <>
      <Button tone="primary" onClick={() => decide(true)}>
        {texts.approve}…
      </Button>
      <Button onClick={() => decide(false)}>{texts.reject}…</Button>
    </>
  );
}
