import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '#functions/route-table.ts';
import { bundledFunctions, bundlingOf, loadedAtStart } from '#lib/aws/bundling.ts';
import { FUNCTIONS, type FunctionName, type FunctionSettings } from '#lib/aws/function-table.ts';
import { TABLE_RIGHTS } from '#lib/aws/table-rights.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';

const NAMES = bundledFunctions() as readonly FunctionName[];

/**
 * The most kB that a function may load at its start: bytes are the part of a cold start that is the same on every
 * machine. Callers of payments wait for the first group.
 */
const MAX_KB: Readonly<Record<FunctionName, number>> = {
  payments: 600,
  'psp-webhooks': 540,
  'hosted-pages': 720,
  projector: 290,
  relay: 370,
  'webhook-delivery': 470,
  'slow-deliveries': 560,
  renewals: 630,
  timers: 670,
  'workflow-runs': 810,
  'ab-tests': 490,
  'api-keys': 480,
  agents: 480,
  mcp: 360,
  auth: 610,
  connections: 630,
  health: 370,
  invoices: 650,
  openapi: 120,
  dashboard: 120,
  reference: 120,
  organizations: 590,
  disputes: 580,
  'payment-actions': 625,
  'payment-stats': 470,
  'subscription-stats': 465,
  attention: 560,
  'payment-timeline': 540,
  search: 540,
  'payment-links': 520,
  'payment-methods': 560,
  customers: 520,
  probe: 300,
  platform: 580,
  policies: 490,
  'routing-rules': 480,
  'routing-simulator': 600,
  subscriptions: 640,
  webhooks: 570,
  workflows: 680,
};

/** What only functions with a right may carry, by the package or folder that it comes from. */
const PARTS: readonly (readonly [
  what: string,
  file: RegExp,
  isAllowed: (line: FunctionSettings, name: FunctionName) => boolean,
])[] = [
  [
    'a table client exactly if it has rights on the table, or the container that keys come with',
    /\/@aws-sdk\/client-dynamodb\//,
    ({ macs }, name) => Object.keys(TABLE_RIGHTS[name]).length > 0 || macs.length > 0,
  ],
  ['a mail client exactly if it sends mail', /\/@aws-sdk\/client-sesv2\//, ({ mails }) => mails === true],
  ['a queue client exactly if it sends messages', /\/@aws-sdk\/client-sqs\//, ({ sendsTo }) => sendsTo !== undefined],
  ['a bus client exactly if it publishes events', /\/@aws-sdk\/client-eventbridge\//, ({ publishes }) => !!publishes],
  [
    'a key client exactly if it opens secrets or makes hashes',
    /\/@aws-sdk\/client-kms\//,
    ({ secrets, macs }) => secrets !== undefined || macs.length > 0,
  ],
];

it('there is a function for every group of routes, every queue, the stream and the probe', () => {
  expect(NAMES).toEqual([...Object.keys(ROUTES), ...QUEUES, 'relay', 'projector', 'probe'].sort());
});

describe.each(NAMES)('the bundle of %s', (name) => {
  const outputs = () => Object.entries(bundles.get(name)?.outputs ?? {});
  const inputs = () => outputs().flatMap(([, output]) => bytesOf(output));

  it('has a handler, and needs only Node', () => {
    const [index] = outputs().filter(([file]) => file.endsWith('/index.mjs'));
    expect(index?.[1].exports).toEqual(['handler']);
    const needed = outputs().flatMap(([, { imports }]) => imports.filter(({ external }) => external));
    const others = needed.filter(({ path }) => !path.startsWith('node:'));
    expect(others.filter(({ kind }) => kind !== 'dynamic-import')).toEqual([]);
    const late = others.map(({ path }) => path);
    expect(
      late.filter((path) => !/^(bowser$|@(aws-sdk|smithy)\/(credential-provider-|core\/event-streams$))/.test(path)),
    ).toEqual([]);
  });

  it('imports nothing whole that Node would load more for', () => {
    const paths = outputs().flatMap(([, { imports }]) => imports.map(({ path }) => path));
    expect(paths).not.toContain('node:http');
  });

  it.each(PARTS)('has %s', (_, file, isAllowed) => {
    expect(inputs().some((input) => file.test(input))).toBe(isAllowed(FUNCTIONS[name], name));
  });

  it('contains nothing of the local host, and none of the texts that zod has in other languages', () => {
    const foreign =
      /^lib\/(?!aws\/(node-http|endpoint-cache|mcp-shims)\.ts)|^shared\/local\/|sqlite|(?<!routing-)simulator|\/zod\/v4\/locales\/(?!en\.js)/;
    expect(inputs().filter((input) => foreign.test(input))).toEqual([]);
  });

  it('loads no adapter of a PSP at its start', () => {
    const metafile = bundles.get(name);
    const atStart = metafile ? loadedAtStart(metafile) : [];
    const loaded = atStart.flatMap((file) => bytesOf(metafile?.outputs[file]));
    expect(loaded.length).toBeGreaterThan(50);
    expect(loaded.filter((input) => /^shared\/psp\/\w+\/(adapter|schema|payments)\.ts$/.test(input))).toEqual([]);
  });

  it('loads at most as many kB at its start as this test says', () => {
    const metafile = bundles.get(name);
    const bytes = metafile ? loadedAtStart(metafile).map((file) => metafile.outputs[file]?.bytes ?? 0) : [];
    const kilobytes = Math.ceil(bytes.reduce((sum, each) => sum + each, 0) / 1_000);
    expect(kilobytes).toBeLessThanOrEqual(MAX_KB[name]);
    expect(kilobytes, 'Lower its line in this test.').toBeGreaterThan(MAX_KB[name] * 0.85);
  });
});

const bytesOf = (output: Metafile['outputs'][string] | undefined): readonly string[] =>
  Object.entries(output?.inputs ?? {}).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : []));

let bundles: ReadonlyMap<string, Metafile>;
beforeAll(async () => {
  const built = NAMES.map(async (name) => {
    const { metafile } = await build({ ...bundlingOf(name, 'out'), write: false });
    return [name, metafile] as const;
  });
  bundles = new Map(await Promise.all(built));
}, 180_000);
