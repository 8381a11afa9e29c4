import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDashboardSync } from '#lib/dashboard/build-dashboard.ts';
import { PACKED } from '#shared/adapters/dashboard/packed-dashboard.adapter.ts';
import { DASHBOARD_FOLDER } from '#shared/container/dashboard.container.ts';

/** Builds the dashboard into the folder of its function's code. */
export function packDashboard(functionFolder: string): void {
  const { page, assets } = buildDashboardSync();
  const folder = join(functionFolder, DASHBOARD_FOLDER);
  mkdirSync(join(folder, PACKED.assets), { recursive: true });
  writeFileSync(join(folder, PACKED.page), page);
  for (const { name, content } of assets) writeFileSync(join(folder, PACKED.assets, name), content);
}
