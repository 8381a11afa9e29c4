import type { StaticFile } from '#shared/ports/static-file.port.ts';

/** The documentation: pages as HTML and as Markdown, and the script, styles and search index that they name. */
export interface ReferenceFilesPort {
  /** A file by its name below `/docs/`, such as `errors.html`; undefined if there is none of that name. */
  file(name: string): Promise<StaticFile | undefined>;
  /** Origins, beside the page's own, that its script may call: of this machine's control server, and none on AWS. */
  readonly connectsTo: readonly string[];
}

/** There is no documentation to serve, and the message says why. */
export class ReferenceBroken extends Error {
  override readonly name = 'ReferenceBroken';
}
