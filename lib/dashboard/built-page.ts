/** A file of the build, as the page or a script names it. */
export type BuiltFile = { readonly name: string; readonly content: Buffer };

/** Where the template wants the names of the built files. */
const MARK = '<!-- built -->';

export type PageFiles = {
  /** The entry first, then what it imports at once: the browser need not read the entry to find these. */
  readonly scripts: readonly string[];
  readonly styles: string;
  /** Which the script loads when it needs them. */
  readonly laterStyles: string;
};

/** The page: the template with the names of this build's files, which are hashes of what they hold. */
export function pageOf(
  template: string,
  { scripts: [main = '', ...imported], styles, laterStyles }: PageFiles,
): string {
  if (!template.includes(MARK)) throw new Error(`The page of the dashboard has no line ${MARK}.`);
  const lines = [
    `<link rel="stylesheet" href="${addressOf(styles)}">`,
    `<script type="module" src="${addressOf(main)}"></script>`,
    ...imported.map((name) => `<link rel="modulepreload" href="${addressOf(name)}">`),
    `<meta name="payfork-screen-styles" content="${addressOf(laterStyles)}">`,
  ];
  return template.replace(MARK, () => lines.join('\n'));
}

const addressOf = (name: string): string => `/dashboard/assets/${name}`;
