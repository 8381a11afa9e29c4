import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { monthOf, type Usage, usageCounter } from '#shared/domain/accounts/plan.rules.ts';
import type { MonthlyMetric } from '#shared/domain/accounts/plans.catalog.ts';
import { keys } from '#shared/store/keys.ts';
import { allLanes, sumLanes } from '#shared/store/repos/reporting/total-lanes.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { removeSnapshot } from '#test/support/stored-setup.ts';

export type LiveHost = TestHost & {
  /** The actions of the platform's administrators. */
  readonly decide: (orgId: string, change: Partial<Pick<Organization, 'kyc' | 'plan'>>) => Promise<void>;
  /** As if so many had been counted this month, in addition to the actual ones. */
  readonly spend: (orgId: string, metric: MonthlyMetric, count: number) => Promise<void>;
  readonly usage: (orgId: string) => Promise<Usage>;
};

/** A host on the live stage. */
export async function startLiveHost(stage: 'live' | 'sandbox' = 'live'): Promise<LiveHost> {
  let table: TablePort | undefined;
  const host = await startHost({ stage, wrapTable: (bare) => (table = bare) });
  let spent = 0;
  return {
    ...host,
    decide: async (orgId, change) => {
      await table?.update(keys.organization(orgId), { set: change }, { exists: 'pk' });
      if (table) await removeSnapshot(table, orgId);
    },
    spend: async (orgId, metric, count) => {
      spent += 1;
      const [at, seq] = [host.clock.now(), String(spent).padStart(9, '0')];
      const step = { seq, add: { [usageCounter(metric, monthOf(at))]: count } };
      const counted = await host.deps.totals.add({ kind: 'usage', org_id: orgId }, { id: 'a test' }, [step], at);
      await host.deps.totals.summarize(orgId, [counted], 'live', at);
    },
    usage: async (orgId) => {
      await host.drain();
      if (!table) throw new Error('The host has no table.');
      return countedUsage(table, orgId);
    },
  };
}

/** An organization with a connection. */
export async function aLiveShop(
  host: TestHost,
  wish: Partial<Pick<Organization, 'kyc' | 'plan'>> = {},
): Promise<TestOrganization> {
  const shop = await anOrganization(host, wish);
  await connect(host, shop, 'main');
  return shop;
}

export const connect = (host: TestHost, shop: Pick<TestOrganization, 'key'>, id: string): Promise<Body> =>
  aConnection(host, shop, { id });

export const verdict = ({ status, body }: ApiResponse): readonly unknown[] => [status, body.error, body.code];

/** What the projector has counted of each month. Payments only read what matters to their limit. */
export const countedUsage = async (table: TablePort, orgId: string): Promise<Usage> =>
  sumLanes(await allLanes(table, orgId, { range: { prefix: keys.usage(orgId).sk } }));
