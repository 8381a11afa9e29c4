import { keptOnce, staticFile } from '#shared/adapters/static/static-file.ts';
import type { DashboardFilesPort } from '#shared/ports/dashboard-files.port.ts';
import type { StaticFile } from '#shared/ports/static-file.port.ts';

/** The files of one build. */
export type DashboardContent = { readonly page: Buffer; readonly assets: ReadonlyMap<string, Buffer> };

/**
 * Serves what `load` finds, which is loaded at the first request and kept: nobody who does not use the dashboard waits
 * for it. What cannot be loaded is tried again with the next request. Each file is compressed once.
 */
export function dashboardFiles(
  load: () => Promise<DashboardContent>,
  connectsTo: readonly string[] = [],
): DashboardFilesPort {
  const content = keptOnce(load);
  const page = keptOnce(async () => staticFile('index.html', (await content()).page));
  const assets = new Map<string, Promise<StaticFile>>();
  return {
    connectsTo,
    page,
    asset: async (name) => {
      const found = (await content()).assets.get(name);
      if (found && !assets.has(name)) assets.set(name, staticFile(name, found));
      return assets.get(name);
    },
  };
}
