import { useState } from 'preact/hooks';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { useFormats } from '#client/dashboard/i18n/i18n.tsx';
import { CapacityDialog, PlanDialog, RateDialog } from '#client/dashboard/screens/platform/organization-dialogs.tsx';
import { StatusBadge, wordsOf } from '#client/dashboard/ui/badge.tsx';
import { wordOptions } from '#client/dashboard/ui/choices.tsx';
import { FilterBar, FilterSelect, useFilters } from '#client/dashboard/ui/filters.tsx';
import { Icon } from '#client/dashboard/ui/icon.tsx';
import { Menu, MenuItem } from '#client/dashboard/ui/menu.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { Empty } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { Id } from '#client/dashboard/ui/values.tsx';
import type { PlatformOrganization } from '#client/typescript/src/index.ts';

const KYC = ['pending', 'approved', 'rejected'] as const;
const isKyc = (text: string | undefined): text is (typeof KYC)[number] => KYC.some((kyc) => kyc === text);

type Open = { readonly what: 'plan' | 'rate' | 'capacity'; readonly organization: PlatformOrganization };
const DIALOGS = { plan: PlanDialog, rate: RateDialog, capacity: CapacityDialog } as const;

export function Organizations() {
  const filters = useFilters(['kyc'], { kyc: KYC });
  const [open, setOpen] = useState<Open>();
  const { kyc } = filters.values;
  const pages = usePages(['platform-organizations', 'all', kyc], (api, options) =>
    api.platform.listOrganizations(isKyc(kyc) ? { kyc } : {}, options),
  );
  const Dialog = open && DIALOGS[open.what];
  return (
    <Section title="Organizations" description="Plans, request limits of their keys, and capacity of their lists.">
      <FilterBar filters={filters}>
        <FilterSelect filters={filters} name="kyc" label="Verification" options={wordOptions(KYC)} />
      </FilterBar>
      <PagedList pages={pages} empty={<Empty icon="platform" title="No organization matches" />}>
        {(rows) => <OrganizationTable rows={rows} onOpen={setOpen} />}
      </PagedList>
      {Dialog && open && <Dialog organization={open.organization} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

type OrganizationTableProps = {
  readonly rows: readonly PlatformOrganization[];
  readonly onOpen: (open: Open) => void;
};

function OrganizationTable({ rows, onOpen }: OrganizationTableProps) {
  const { number } = useFormats();
  const columns: readonly Column<PlatformOrganization>[] = [
    {
      key: 'name',
      header: 'Organization',

      cell: ({ id, name, legal_name }) => (
        <div>
          <div class="strong">{name}</div>
          {legal_name !== null && <div class="muted">{legal_name}</div>}
          <Id id={id} />
        </div>
      ),
    },
    { key: 'kyc', header: 'Verification', cell: ({ kyc }) => <StatusBadge status={kyc} /> },
    { key: 'plan', header: 'Plan', cell: ({ plan }) => wordsOf(plan) },
    {
      key: 'rate',
      header: 'Limits a minute',
      cell: ({ rate }) =>
        `${number(rate.payments)}\u00a0payments, ${number(rate.writes)}\u00a0changes, ${number(rate.reads)}\u00a0reads`,
    },
    { key: 'capacity', header: 'List partitions', align: 'end', cell: ({ capacity }) => capacity.list_shards },
    { key: 'since', header: 'Created', cell: ({ created_at }) => <Time at={created_at} as="date" /> },
    {
      key: 'actions',
      header: 'Actions',
      isHeaderHidden: true,
      align: 'end',
      cell: (organization) => <Actions organization={organization} onOpen={onOpen} />,
    },
  ];
  return <Table label="Organizations" columns={columns} rows={rows} rowKey={({ id }) => id} />;
}

type ActionsProps = { readonly organization: PlatformOrganization; readonly onOpen: (open: Open) => void };

const Actions = ({ organization, onOpen }: ActionsProps) => (
  <Menu label={`Change ${organization.name}`} align="end" button={<Icon name="more" />}>
    {(close) =>
      (['plan', 'rate', 'capacity'] as const).map((what) => (
        <MenuItem
          key={what}
          onClick={() => {
            close();
            onOpen({ what, organization });
          }}
        >
          {{ plan: 'Change plan', rate: 'Change request limits', capacity: 'Change capacity' }[what]}
        </MenuItem>
      ))
    }
  </Menu>
);
