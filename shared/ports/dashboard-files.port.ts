import type { StaticFile } from '#shared/ports/static-file.port.ts';

/** The built dashboard: an HTML page and the scripts and styles that it names by their hashes. */
export interface DashboardFilesPort {
  /** The page that every address under `/dashboard` gets: the script reads the address. */
  page(): Promise<StaticFile>;
  /** A script or style by its name, such as `main-5f2c9a.js`; undefined if this build has none of that name. */
  asset(name: string): Promise<StaticFile | undefined>;
  /** Origins, beside the page's own, that its script may call: of this machine's control server, and none on AWS. */
  readonly connectsTo: readonly string[];
}

/** There is no dashboard to serve, and the message says why: its source does not compile. */
export class DashboardBroken extends Error {
  override readonly name = 'DashboardBroken';
}
