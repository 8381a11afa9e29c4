import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['bin', 'lib', 'functions', 'shared'];

const kernel = /^#shared\/kernel\//;
const domain = /^#shared\/domain\//;
const ports = /^#shared\/ports\//;
const services = /^#shared\/services\//;
const http = /^#shared\/http\//;
/** Shapes of the wire, which may be parts of another shape. */
const shapes = /^#shared\/http\/schema\//;
const kit = /^#shared\/psp\/kit\//;
const net = /^#shared\/adapters\/net\//;
const shared = /^#shared\//;
const zod = /^zod(-openapi)?(\/|$)/;
/** The calendar only: what tells the time of day is not among it. */
const pureLibraries = /^(ipaddr\.js|otpauth|@marcbachmann\/cel-js|temporal-polyfill\/fns\/(Instant|ZonedDateTime))$/;
const pureNode = /^node:(crypto|util|net|buffer|url|querystring|zlib)$/;
const node = /^node:/;
const packages = /^[^#.]/;
const providers = /^#shared\/psp\/providers\.ts$/;
/** The lists that the API document and the timer are made from. */
const tables = /^#functions\/(route|schedule)-table\.ts$/;
/** The file's own folder. */
const own = 'own';
/** The file's own group: `functions/payments` and all below it. */
const group = 'group';

type Allowed = readonly (RegExp | typeof own | typeof group)[];
type Rules = readonly (readonly [file: RegExp, mayImport: Allowed])[];

/** Where a file lies: the borders between the layers. First match wins; no match, no rule. */
const BY_FOLDER: Rules = [
  [/^shared\/kernel\//, [kernel, pureNode, /^node:async_hooks$/]],
  [/^shared\/domain\//, [kernel, domain, zod, pureNode, pureLibraries]],
  [/^shared\/ports\//, [kernel, domain, ports]],
  [/^shared\/services\//, [kernel, domain, ports, services, zod, pureNode]],
  [/^shared\/store\//, [kernel, domain, ports, /^#shared\/store\//, packages]],
  [/^shared\/psp\/kit\//, [kernel, domain, ports, kit, net, zod, node]],
  [/^shared\/psp\/[^/]+\//, [kernel, domain, ports, kit, own, zod, pureNode]],
  [/^shared\/env\.ts$/, [/^#shared\/(aws|local)-env\.ts$/]],
  [/^shared\/aws-env\.ts$/, [kernel, domain, ports]],
  [/^shared\/local-env\.ts$/, [kernel, domain, zod, /^#shared\/aws-env\.ts$/]],
  [/^shared\//, [shared, packages]],
  // Functions are doors: what two of them share is a service. Only the tables know all of them.
  [/^functions\/[\w-]+-table\.ts$/, [shared, /^#functions\//]],
  [/^functions\//, [shared, group, packages, tables]],
  [/^lib\/aws\//, [/^#lib\/(aws|dashboard|reference)\//, /^#functions\/[\w-]+-table\.ts$/, shared, packages]],
  // A simulator shares no code with the adapters, nor with another simulator.
  [/^lib\/simulators\/kit\//, [kernel, domain, own, /^#lib\/simulators\/simulators\.port\.ts$/, node]],
  [/^lib\/simulators\/[^/]+\//, [kernel, domain, own, /^#lib\/simulators\/kit\//, node]],
  [/^lib\/simulators\//, [kernel, domain, /^#lib\/simulators\//, node]],
];

/** What a file's name says it is, as in the house style. First match wins; no match, no rule. */
const BY_SUFFIX: Rules = [
  [/^lib\//, [/./]],
  [/^shared\/store\/.*\.rules\.ts$/, [kernel, domain, ports, /^#shared\/store\//, pureNode]],
  [/\.(rules|machine|events|catalog|model)\.ts$/, [kernel, domain, ports, kit, own, zod, pureNode, pureLibraries]],
  [/^shared\/psp\/[^/]+\/([\w-]+\.)?schema\.ts$/, [kernel, domain, kit, own, zod]],
  [/\.schema\.ts$/, [kernel, domain, zod, providers, /\.schema\.ts$/]],
  [/\.port\.ts$/, [kernel, domain, ports]],
  [/\.service\.ts$/, [kernel, domain, ports, services, pureNode]],
  // A use case returns plain data: status, headers and errors stand on the route line.
  [
    /^functions\/mcp\/(client-name|serve-mcp\.usecase)\.ts$/,
    [kernel, domain, ports, group, /^@modelcontextprotocol\/server$/],
  ],
  [/\.usecase\.ts$/, [kernel, domain, ports, services, group, /^@simplewebauthn\//]],
  [/(\.routes|-table)\.ts$/, [kernel, domain, ports, http, services, group, /^#functions\/.*\.(routes|usecase)\.ts$/]],
  [/\.middleware\.ts$/, [kernel, domain, ports, http, zod, pureNode, /^@middy\//]],
  [/\.page\.ts$/, [kernel, domain, group, zod, pureNode, /^#shared\/(http\/html|ports\/raw-request\.port)\.ts$/]],
  [/\.(entity|repo)\.ts$/, [kernel, domain, ports, /^#shared\/store\//, zod, pureNode]],
  [/\.adapter\.ts$/, [/^#shared\/(?!http|container|env|services)/, packages]],
  [/\.lambda\.ts$/, [group, tables, services, /^#shared\/(container|http|adapters\/aws|ports|kernel)\//]],
  // The API document is made from the route lines.
  [/^functions\/openapi\//, [kernel, domain, ports, http, group, tables, providers, zod]],
  [
    /^functions\//,
    [kernel, domain, ports, services, shapes, group, tables, zod, pureLibraries, providers, /^@simplewebauthn\//],
  ],
];

/**
 * What only one file may do, so that time and chance can be given, the environment is read in one place and markup
 * escaped in one way.
 */
const ONLY_IN: readonly (readonly [what: string, pattern: RegExp, file: string])[] = [
  [
    'reads the clock',
    /new Date(\(\s*\)|(?=[;,)\s]))|Date\.now|performance\.now|process\.hrtime/,
    'shared/kernel/clock.ts',
  ],
  ['reads the environment', /process\.env|import\.meta\.env/, 'shared/env.ts'],
  ['uses Math.random', /Math\.random/, 'shared/kernel/ids.ts'],
  ['makes UUIDs', /randomUUID/, 'shared/kernel/ids.ts'],
  ['turns text into markup', /'hono\//, 'shared/http/html.ts'],
];

/** Where the table's keys and items are known. Its adapters and hosts pass the table on, and look into no item. */
const STORE = /^shared\/store\//;
const STORAGE: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['names a key attribute', /\.(pk|sk)\b|\b(pk|sk)\??:|[{,]\s*(pk|sk)\s*[,}]|'(pk|sk)'|_(pk|sk)\b/],
  ['uses the type of an item', /\b(Item|Key|Cond|Write)\b[^;]*from '#shared\/store\/table\/table\.port\.ts'/],
  ['splits a key', /split\('#'\)/],
];

type Import = { readonly from: string; readonly typeOnly: boolean };
const IMPORT =
  /^(?:import|export)\s+(type\s)?[^'"`;]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

const FILES = FOLDERS.filter((folder) => existsSync(join(ROOT, folder))).flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);
const TEXTS = new Map(FILES.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));

function importsOf(file: string): Import[] {
  return [...(TEXTS.get(file) ?? '').matchAll(IMPORT)].map(([, type, ...from]) => ({
    typeOnly: type !== undefined,
    from: from.find((name) => name !== undefined) ?? '',
  }));
}

function isIn(each: Allowed[number], file: string, from: string): boolean {
  if (each === own) return from.startsWith(`#${dirname(file)}/`);
  if (each === group) return from.startsWith(`#${file.split('/').slice(0, 2).join('/')}/`);
  return each.test(from);
}

/** The type of a package costs nothing and reaches nothing; a type of ours shows what a file knows. */
function violations(rules: Rules): string[] {
  return FILES.flatMap((file) => {
    const allowed = rules.find(([pattern]) => pattern.test(file))?.[1] ?? [/./];
    const may = ({ from, typeOnly }: Import) =>
      (typeOnly && packages.test(from)) || allowed.some((each) => isIn(each, file, from));
    return importsOf(file)
      .filter((each) => !may(each))
      .map(({ from }) => `${file} imports ${from}`);
  });
}

/** Everything that is loaded when this file is. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  for (const { from } of importsOf(file).filter(({ typeOnly }) => !typeOnly)) {
    if (seen.has(from)) continue;
    seen.add(from);
    if (from.startsWith('#')) loadedBy(from.slice(1), seen);
  }
  return seen;
}

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');

it('lets folders import only what their rules permit', () => expect(violations(BY_FOLDER)).toEqual([]));

it('imports only what a file name permits', () => expect(violations(BY_SUFFIX)).toEqual([]));

/** The files that every simulator has, so that the same question about two PSPs has its answer in the same file. */
const SIMULATOR_ROLES = [
  'declines',
  'errors',
  'events',
  'money',
  'objects',
  'outcomes',
  'pages',
  'payments',
  'refunds',
  'requests',
  'server',
  'test-methods',
];

/** Files for what a PSP has and the others do not have. */
const OWN_SIMULATOR_ROLES: Readonly<Record<string, readonly string[]>> = {
  adyen: ['captures', 'cards', 'details', 'disputes', 'links', 'three-d-secure'],
  checkout: ['captures', 'details', 'disputes', 'hosted-payments', 'lists'],
  flutterwave: ['disputes', 'hosted-payments'],
  mollie: ['captures', 'customers', 'details', 'disputes', 'lists', 'mandates'],
  paypal: ['captures', 'certificates', 'details', 'disputes', 'lists', 'oauth', 'vault'],
  paystack: ['charges', 'disputes', 'lists'],
  razorpay: ['captures', 'disputes', 'links', 'lists', 'orders'],
  stripe: [
    'captures',
    'charges',
    'customers',
    'details',
    'disputes',
    'form',
    'lists',
    'parameters',
    'session-outcomes',
    'sessions',
  ],
};

/** The files that every adapter has. `adapter` is the one to begin with. */
const ADAPTER_ROLES = [
  'adapter',
  'capabilities',
  'client',
  'credentials.schema',
  'declines.catalog',
  'facts',
  'lookups',
  'money.rules',
  'outcomes.rules',
  'payments',
  'refunds',
  'report.rules',
  'requests.rules',
  'schema',
  'tokens.rules',
  'webhooks',
];

const OWN_ADAPTER_ROLES: Readonly<Record<string, readonly string[]>> = {
  adyen: ['captures', 'details.rules', 'dispute-events', 'disputes', 'returns', 'token-events'],
  checkout: ['captures', 'details.rules', 'disputes', 'transactions'],
  flutterwave: ['details.rules', 'disputes', 'transactions'],
  mollie: ['captures', 'customers', 'details.rules', 'disputes', 'transactions'],
  paypal: ['captures', 'certificates', 'details.rules', 'disputes', 'transactions'],
  paystack: ['disputes', 'transactions'],
  razorpay: ['captures', 'details.rules', 'disputes', 'returns', 'transactions'],
  stripe: ['captures', 'customers', 'details.rules', 'disputes', 'transactions'],
};

const ROLES: readonly (readonly [
  what: string,
  root: string,
  roles: readonly string[],
  own: typeof OWN_ADAPTER_ROLES,
])[] = [
  ['adapter', 'shared/psp', ADAPTER_ROLES, OWN_ADAPTER_ROLES],
  ['simulator', 'lib/simulators', SIMULATOR_ROLES, OWN_SIMULATOR_ROLES],
];

const PROVIDER_FOLDERS = ROLES.flatMap(([what, root, roles, own]) =>
  readdirSync(join(ROOT, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'kit')
    .map(({ name }) => ({ what, provider: name, folder: `${root}/${name}/`, roles, own: own[name] ?? [] })),
);

describe.each(PROVIDER_FOLDERS)('the $what of $provider', ({ folder, roles, own }) => {
  const found = FILES.filter((file) => file.startsWith(folder)).map((file) => file.slice(folder.length, -'.ts'.length));

  it('has a file for every role', () => {
    expect(roles.filter((role) => !found.includes(role))).toEqual([]);
  });

  it('has no other file than those that this test lists', () => {
    expect(found.filter((role) => !roles.includes(role) && !own.includes(role))).toEqual([]);
  });
});

it('finds an adapter and a simulator for each of the eight PSPs', () => {
  const named = (what: string) => PROVIDER_FOLDERS.filter((each) => each.what === what).map(({ provider }) => provider);
  expect(named('adapter')).toEqual(named('simulator'));
  expect(named('adapter').length).toBeGreaterThanOrEqual(8);
});

it('imports by paths from the root, with their ending', () => {
  expect(
    FILES.flatMap((file) =>
      importsOf(file).flatMap(({ from }) =>
        /^\.|^#.*(?<!\.ts|\.json)$/.test(from) ? [`${file} imports ${from}`] : [],
      ),
    ),
  ).toEqual([]);
});

it.each(ONLY_IN)('%s in one file only', (_, pattern, only) => {
  expect(FILES.filter((file) => file !== only && pattern.test(withoutComments(TEXTS.get(file) ?? '')))).toEqual([]);
});

it.each(STORAGE)('%s only within shared/store', (_, pattern) => {
  const uses = (file: string) => pattern.test(withoutComments(TEXTS.get(file) ?? ''));
  expect(FILES.filter((file) => !STORE.test(file) && uses(file))).toEqual([]);
});

it.each(FILES.filter((file) => file.endsWith('-table.ts')))('%s loads no AWS client', (table) => {
  expect([...loadedBy(table)].filter((from) => /^(@aws-sdk|aws-cdk-lib|node:sqlite)/.test(from))).toEqual([]);
});

it('reads every file and all of its imports', () => {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...FOLDERS], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const known = list.split('\0').filter((file) => file.endsWith('.ts') && existsSync(join(ROOT, file)));
  expect([...FILES].sort()).toEqual([...new Set(known)].sort());
  const froms = [...TEXTS.values()].flatMap((text) => text.match(/ from '[^']+';$/gm) ?? []);
  expect(FILES.flatMap(importsOf).filter(({ from }) => from !== '').length).toBeGreaterThanOrEqual(froms.length);
});
