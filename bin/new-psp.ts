import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const REGISTRY = at('shared/psp/registry.ts');

/** Template → where it goes. */
const FILES: Readonly<Record<string, (psp: string) => string>> = {
  adapter: (psp) => `shared/psp/${psp}/${psp}.adapter.ts`,
  capabilities: (psp) => `shared/psp/${psp}/capabilities.ts`,
  credentials: (psp) => `shared/psp/${psp}/credentials.schema.ts`,
  webhook: (psp) => `shared/psp/${psp}/webhook.rules.ts`,
  simulator: (psp) => `lib/local/simulators/${psp}.simulator.ts`,
  contract: (psp) => `test/contract/${psp}-adapter.test.ts`,
  journeys: (psp) => `test/providers/${psp}.test.ts`,
};

function stop(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

const [psp = ''] = process.argv.slice(2);
if (!/^[a-z][a-z0-9]{1,30}$/.test(psp)) stop('Name the provider in small letters and digits: npm run new-psp -- acme');
const registry = readFileSync(REGISTRY, 'utf8');
const line = `export { ${psp} } from '#shared/psp/${psp}/${psp}.adapter.ts';`;
const paths = Object.values(FILES).map((path) => path(psp));
const there = paths.filter((path) => existsSync(at(path)));
if (there.length > 0 || registry.includes(line))
  stop(`There is a ${psp} already: ${there.join(', ') || 'in the registry'}. Nothing was changed.`);

const name = psp.charAt(0).toUpperCase() + psp.slice(1);
for (const [template, path] of Object.entries(FILES)) {
  const text = readFileSync(at(`bin/new-psp/${template}.txt`), 'utf8')
    .replaceAll('__psp__', psp)
    .replaceAll('__Psp__', name);
  mkdirSync(dirname(at(path(psp))), { recursive: true });
  writeFileSync(at(path(psp)), text);
}
const [head = '', ...lines] = registry.trimEnd().split('\n');
writeFileSync(REGISTRY, `${[head, ...[...lines, line].sort()].join('\n')}\n`);

process.stdout.write(`Made ${paths.join(', ')}, and a line in shared/psp/registry.ts.
What is missing is said by:   npm test -- test/contract/${psp}-adapter.test.ts
And then, over HTTP:          npm test -- test/providers/${psp}.test.ts
Its credentials belong into the OpenAPI document: npm run openapi
`);
