import { type DashboardContent, dashboardFiles } from '#shared/adapters/dashboard/dashboard-files.adapter.ts';
import { DashboardBroken, type DashboardFilesPort } from '#shared/ports/dashboard-files.port.ts';

/**
 * The dashboard of this host, built in this process when it is first opened: the host starts no later for it. Its page
 * says where the control server is, which the Lab calls.
 */
export const localDashboard = (controlUrl: string): DashboardFilesPort =>
  dashboardFiles(() => buildHere(controlUrl), [controlUrl]);

async function buildHere(controlUrl: string): Promise<DashboardContent> {
  const { buildDashboard } = await import('#lib/dashboard/build-dashboard.ts');
  const { page, assets } = await buildDashboard().catch((error: unknown) => {
    throw new DashboardBroken(error instanceof Error ? error.message : String(error), { cause: error });
  });
  const control = `<meta name="payfork-control" content="${controlUrl}">`;
  return {
    page: Buffer.from(page.toString().replace('</head>', () => `${control}\n</head>`)),
    assets: new Map(assets.map(({ name, content }) => [name, content])),
  };
}
