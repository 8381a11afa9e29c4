import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const REGISTRY = at('shared/psp/registry.ts');

/** Template → the file it becomes. */
const FILES: Readonly<Record<string, (psp: string) => string>> = {
  adapter: (psp) => `shared/psp/${psp}/adapter.ts`,
  capabilities: (psp) => `shared/psp/${psp}/capabilities.ts`,
  facts: (psp) => `shared/psp/${psp}/facts.ts`,
  credentials: (psp) => `shared/psp/${psp}/credentials.schema.ts`,
  webhooks: (psp) => `shared/psp/${psp}/webhooks.ts`,
  simulator: (psp) => `lib/simulators/${psp}/server.ts`,
  contract: (psp) => `test/contract/${psp}-adapter.test.ts`,
  journeys: (psp) => `test/providers/${psp}.test.ts`,
};

function exitWith(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const [psp = ''] = process.argv.slice(2);
if (!/^[a-z][a-z0-9]{1,30}$/.test(psp))
  exitWith('The name must be lower-case letters and digits, for example: npm run new-psp -- nuvei');
const registry = readFileSync(REGISTRY, 'utf8');
const added = [
  `import { ${psp}Facts } from '#shared/psp/${psp}/facts.ts';`,
  `export const ${psp} = lazyPsp(${psp}Facts, () => import('#shared/psp/${psp}/adapter.ts'));`,
];
const paths = Object.values(FILES).map((path) => path(psp));
const existing = paths.filter((path) => existsSync(at(path)));
if (existing.length > 0 || added.some((line) => registry.includes(line)))
  exitWith(`${psp} already exists: ${existing.join(', ') || 'in the registry'}. Nothing was changed.`);

const name = psp.charAt(0).toUpperCase() + psp.slice(1);
for (const [template, path] of Object.entries(FILES)) {
  const text = readFileSync(at(`bin/new-psp/${template}.txt`), 'utf8')
    .replaceAll('__psp__', psp)
    .replaceAll('__Psp__', name);
  mkdirSync(dirname(at(path(psp))), { recursive: true });
  writeFileSync(at(path(psp)), text);
}
/** Imports and entries are sorted, as the linter demands; what stands between them stays. */
const lines = registry.trimEnd().split('\n');
const isImport = (line: string) => line.startsWith('import ');
const isEntry = (line: string) => line.startsWith('export ');
const pathOf = (line: string) => /'([^']+)'/.exec(line)?.[1] ?? '';
const imports = [...lines, ...added].filter(isImport).sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
const entries = [...lines, ...added].filter(isEntry).sort();
const between = lines.filter((line) => !isImport(line) && !isEntry(line));
writeFileSync(REGISTRY, `${[...imports, ...between, ...entries].join('\n')}\n`);

process.stdout.write(`Created ${paths.join(', ')}, and two lines in shared/psp/registry.ts.
To see what is missing:       npm test -- test/contract/${psp}-adapter.test.ts
Then test it over HTTP:       npm test -- test/providers/${psp}.test.ts
Files still to write:         npm test -- test/architecture
Other tests and documents:    CONTRIBUTING.md, Add a PSP
`);
