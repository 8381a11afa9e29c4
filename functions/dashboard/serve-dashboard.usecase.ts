import { pageHeadersFor, renderBroken } from '#functions/dashboard/dashboard.page.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { DashboardBroken } from '#shared/ports/dashboard-files.port.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';
import { assetResponse, compressedResponse } from '#shared/services/reference/compressed-response.service.ts';

type DashboardDeps = Pick<Deps, 'dashboardFiles' | 'log'>;

/** Every address below `/dashboard` is a screen, which the page's script finds by it, but for those of files. */
const ASSETS = 'assets/';

/** A dashboard that does not compile says so, until it does: nothing of it is kept. */
export async function serveDashboard(request: RawRequest, deps: DashboardDeps): Promise<RawResponse> {
  const { path = '' } = request.params;
  try {
    if (path.startsWith(ASSETS)) return await serveAsset(path.slice(ASSETS.length), request, deps);
    return await servePage(request, deps);
  } catch (error) {
    if (!(error instanceof DashboardBroken)) throw error;
    deps.log.error('dashboard_broken', { error });
    return renderBroken(error.message, request);
  }
}

/** The page is checked again with each visit, since it names the files of the newest build. */
async function servePage(request: RawRequest, { dashboardFiles }: DashboardDeps): Promise<RawResponse> {
  const page = await dashboardFiles.page();
  return compressedResponse(request.headers, page, pageHeadersFor(request, dashboardFiles.connectsTo));
}

async function serveAsset(name: string, { headers }: RawRequest, deps: DashboardDeps): Promise<RawResponse> {
  const file = await deps.dashboardFiles.asset(name);
  if (!file)
    throw new AppError('not_found', 'There is no such file in this build of the dashboard. Load the page again.');
  return assetResponse(headers, file);
}
