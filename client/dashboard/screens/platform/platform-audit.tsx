import { usePages } from '#client/dashboard/api/use-pages.ts';
import { wordsOf } from '#client/dashboard/ui/badge.tsx';
import { Changes } from '#client/dashboard/ui/changes.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { Empty } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import type { PlatformAct } from '#client/typescript/src/index.ts';

const COLUMNS: readonly Column<PlatformAct>[] = [
  { key: 'at', header: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    key: 'action',
    header: 'What',
    cell: ({ action, target }) => (
      <div>
        <div class="strong">{wordsOf(action).replace('Kyc', 'Identity')}</div>
        <div class="muted">{target.name}</div>
      </div>
    ),
  },
  {
    key: 'changes',
    header: 'Changes',

    cell: ({ metadata: { changes, reason } }) => (
      <div>
        <Changes changes={changes} />
        {reason !== null && <div class="muted">“{reason}”</div>}
      </div>
    ),
  },
  { key: 'actor', header: 'Who', cell: ({ actor_email }) => actor_email },
];

/** What the people of the platform, and operators' commands, have done. */
export function PlatformAudit() {
  const pages = usePages(['platform-audit'], (api, options) => api.platform.listAudit({}, options));
  return (
    <Section title="Audit" description="Every act of an administrator and of an operator's command, newest first.">
      <PagedList pages={pages} empty={<Empty icon="clock" title="Nothing was done yet" />}>
        {(rows) => <Table label="Audit" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />}
      </PagedList>
    </Section>
  );
}
