import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { useNames } from '#client/dashboard/api/use-names.ts';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { OneApproval } from '#client/dashboard/screens/approvals/approval.tsx';
import {
  ApprovalAmount,
  ApprovalResource,
  operationName,
} from '#client/dashboard/screens/approvals/approval-facts.tsx';
import { APPROVALS } from '#client/dashboard/screens/approvals/approvals.catalog.ts';
import type { ApprovalMessages } from '#client/dashboard/screens/approvals/approvals-messages.ts';
import { type Decision, DecisionDialog } from '#client/dashboard/screens/approvals/decision-dialog.tsx';
import { type Scope, useSession } from '#client/dashboard/shell/session.tsx';
import { StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Page } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { Empty } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Tabs } from '#client/dashboard/ui/tabs.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import type { AgentApproval } from '#client/typescript/src/generated/schemas.ts';

export const PATH = '/dashboard/approvals';
const EVERY = 30_000;

/** What agents ask people: as a queue, and one of them by its address, which the agent knows. */
export function ApprovalsScreen() {
  const { id } = useRoute().params;
  return id === undefined ? <Queue /> : <OneApproval id={id} />;
}

function Queue() {
  const texts = useMessages(APPROVALS);
  const showsAll = useLocation().query.view === 'all';
  return (
    <Page title={texts.title} subtitle={texts.subtitle}>
      <Tabs
        label={texts.views}
        tabs={[
          { label: texts.waiting, href: PATH, isCurrent: !showsAll },
          { label: texts.all, href: `${PATH}?view=all`, isCurrent: showsAll },
        ]}
      />
      <Requests key={String(showsAll)} showsAll={showsAll} />
    </Page>
  );
}

function Requests({ showsAll }: { readonly showsAll: boolean }) {
  const texts = useMessages(APPROVALS);
  const { can } = useSession();
  const nameOf = useNames();
  const [decision, decide] = useState<Decision>();
  const filter = showsAll ? {} : ({ status: 'pending' } as const);
  const pages = usePages(['approvals', String(showsAll)], (api, options) => api.agents.listApprovals(filter, options), {
    every: EVERY,
  });
  const columns = [...columnsOf(texts, nameOf), showsAll ? statusColumn(texts) : decisionColumn(texts, can, decide)];
  return (
    <>
      <PagedList
        pages={pages}
        empty={
          <Empty icon="check" title={texts.emptyTitle}>
            {texts.emptyText}
          </Empty>
        }
      >
        {(rows) => (
          <Table
            label={texts.list}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            href={({ id }) => `${PATH}/${id}`}
          />
        )}
      </PagedList>
      {decision && <DecisionDialog {...decision} onClose={() => decide(undefined)} />}
    </>
  );
}

const columnsOf = (texts: ApprovalMessages, nameOf: (id: string) => string): readonly Column<AgentApproval>[] => [
  {
    key: 'what',
    header: texts.what,
    isWide: true,
    cell: ({ operation }) => <span class="strong">{operationName(texts, operation)}</span>,
  },
  { key: 'amount', header: texts.amount, cell: (approval) => <ApprovalAmount approval={approval} /> },
  { key: 'about', header: texts.about, hideOn: 'phone', cell: (approval) => <ApprovalResource approval={approval} /> },
  { key: 'who', header: texts.who, cell: ({ key_id }) => nameOf(key_id) },
  { key: 'asked', header: texts.asked, cell: ({ created_at }) => <Time at={created_at} as="relative" /> },
];

const statusColumn = (texts: ApprovalMessages): Column<AgentApproval> => ({
  key: 'status',
  header: texts.status,
  cell: ({ status }) => <StatusBadge status={status} label={texts.statuses[status].name} />,
});

type Can = (scope: Scope) => boolean;

const decisionColumn = (
  texts: ApprovalMessages,
  can: Can,
  decide: (decision: Decision) => void,
): Column<AgentApproval> => ({
  key: 'decision',
  header: texts.actions,
  isHeaderHidden: true,
  align: 'end',
  cell: (approval) =>
    can(approval.scope as Scope) && (
      <>
        <Button size="small" onClick={() => decide({ approval, isApproved: true })}>
          {texts.approve}…
        </Button>{' '}
        <Button size="small" tone="quiet" onClick={() => decide({ approval, isApproved: false })}>
          {texts.reject}…
        </Button>
      </>
    ),
});
