import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DashboardContent, dashboardFiles } from '#shared/adapters/dashboard/dashboard-files.adapter.ts';
import type { DashboardFilesPort } from '#shared/ports/dashboard-files.port.ts';

/** The names in a folder with a built dashboard. */
export const PACKED = { page: 'index.html', assets: 'assets' } as const;

/** The dashboard that was built into a folder beside the function's code. */
export const packedDashboard = (folder: string): DashboardFilesPort => dashboardFiles(() => readFolder(folder));

async function readFolder(folder: string): Promise<DashboardContent> {
  const assets = join(folder, PACKED.assets);
  const [page, names] = await Promise.all([readFile(join(folder, PACKED.page)), readdir(assets)]);
  const read = names.map(async (name) => [name, await readFile(join(assets, name))] as const);
  return { page, assets: new Map(await Promise.all(read)) };
}
