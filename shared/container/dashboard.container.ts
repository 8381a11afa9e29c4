import { join } from 'node:path';
import { packedDashboard } from '#shared/adapters/dashboard/packed-dashboard.adapter.ts';
import { type Start, type StatelessDeps, statelessContainer } from '#shared/container/stateless.container.ts';
import type { DashboardFilesPort } from '#shared/ports/dashboard-files.port.ts';

/** The folder of the built dashboard, beside the function's own code. */
export const DASHBOARD_FOLDER = 'dashboard';

/** What the dashboard's function has: the files that were built into its own package. */
export const dashboardContainer: Start<StatelessDeps & { readonly dashboardFiles: DashboardFilesPort }> = (
  env,
  log,
) => {
  const rest = statelessContainer(env, log);
  const dashboardFiles = packedDashboard(join(import.meta.dirname, DASHBOARD_FOLDER));
  return async () => ({ ...(await rest()), dashboardFiles });
};
