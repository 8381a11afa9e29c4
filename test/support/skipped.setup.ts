import { existsSync } from 'node:fs';

const SPECS = new URL('../../../shared/psp-specs/', import.meta.url);

/** The last lines of a run only count what was skipped. */
export const setup = (): void => {
  if (existsSync(SPECS)) return;
  console.warn(
    'Skipped: tests that compare requests and responses with the providers’ own documents, which are not part of ' +
      'this repository. They are looked for in ../shared/psp-specs.',
  );
};
