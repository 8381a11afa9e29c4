import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '#functions/route-table.ts';
import { clientFiles } from '#lib/client/client-files.ts';
import { clientMethods, methodName } from '#lib/client/operations.ts';
import { isRaw } from '#shared/http/route.ts';

const CLIENT = fileURLToPath(new URL('../../../client/typescript/', import.meta.url));
const GENERATED = `${CLIENT}src/generated/`;
const MAX_SIZE = 10_000;

it("the client's generated files match the route table; npm run client updates them", async () => {
  const files = await clientFiles();
  expect(readdirSync(GENERATED).sort()).toEqual([...files.keys()].sort());
  const outdated = [...files].filter(([name, text]) => readFileSync(GENERATED + name, 'utf8') !== text);
  expect(outdated.map(([name]) => name)).toEqual([]);
});

it('the client has a method for every endpoint that answers with JSON', async () => {
  const code = [...(await clientFiles()).values()].join('\n').replaceAll(/\$\{\w+\}/g, '{}');
  const routes = Object.values(ROUTES)
    .flat()
    .filter((route) => !isRaw(route) && !route.deprecated);
  const missing = routes.filter(({ method, path }) => !code.includes(`\`${method} ${path}\``));
  expect(routes.length).toBeGreaterThan(100);
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

it(`the client has at most ${MAX_SIZE} bytes, compressed, with all of its endpoints`, async () => {
  const { outputFiles } = await build({
    entryPoints: [`${CLIENT}src/index.ts`],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles;
  const size = gzipSync(contents, { level: 9 }).length;
  process.stdout.write(`The client has ${size} bytes, compressed; ${contents.length} before that.\n`);
  expect(contents.length).toBeGreaterThan(1_000);
  expect(size).toBeLessThanOrEqual(MAX_SIZE);
});

it('the client imports nothing but its own files', () => {
  const files = readdirSync(`${CLIENT}src`, { recursive: true, encoding: 'utf8' }).filter((name) => /\.ts$/.test(name));
  const imports = files.flatMap((name) =>
    [...readFileSync(`${CLIENT}src/${name}`, 'utf8').matchAll(/\bfrom '([^']+)'/g)].map(([, from = '']) => from),
  );
  expect(imports.length).toBeGreaterThan(30);
  expect(imports.filter((from) => !/^\.{1,2}\/[\w./-]+\.ts$/.test(from))).toEqual([]);
});

describe('the name of a method', () => {
  it.each([
    ['leaves out what its group says after the verb', 'createPayment', 'payments', 'create'],
    ['leaves out the plural, too', 'listApiKeys', 'api-keys', 'list'],
    ['keeps what follows', 'getAbTestResults', 'ab-tests', 'getResults'],
    ['keeps another noun', 'endSession', 'auth', 'endSession'],
    ['keeps a noun that only begins like its group', 'listPaymentsOfDay', 'payments', 'listOfDay'],
    ['keeps a noun that goes on in the same word', 'getPaymentable', 'payments', 'getPaymentable'],
    ['keeps a noun that does not follow the verb', 'getFraudPolicy', 'policies', 'getFraudPolicy'],
  ])('%s', (_, operationId, tag, name) => expect(methodName(operationId, tag)).toBe(name));
});

describe('the document that the client is made from', () => {
  const operation = (more: object = {}) => ({
    operationId: 'getThing',
    tags: ['things'],
    responses: { 200: { description: 'OK', content: { 'application/json': { schema: { type: 'string' as const } } } } },
    ...more,
  });
  const methodsOf = (paths: object) => clientMethods({ paths: paths as never }, new Set());

  it('may not have two endpoints whose methods have one name', () => {
    const twice = { '/v1/things': { get: operation() }, '/v1/things/{id}': { get: operation() } };
    expect(() => methodsOf(twice)).toThrow('Two endpoints would be things.get');
  });

  it('may not have an endpoint with a body and a query', () => {
    const requestBody = { content: { 'application/json': { schema: { type: 'object' } } } };
    const parameters = [{ in: 'query', name: 'a', schema: { type: 'string' } }];
    const both = { '/v1/things': { post: operation({ requestBody, parameters }) } };
    expect(() => methodsOf(both)).toThrow('POST /v1/things takes a body and a query');
  });

  it('may not have an endpoint of the API that does not answer with JSON', () => {
    const page = { '/v1/things': { get: operation({ responses: { 200: { description: 'OK' } } }) } };
    expect(() => methodsOf(page)).toThrow('getThing has no JSON reply');
  });

  it('may not have a list whose items could be in one of two fields', () => {
    const array = { type: 'array', items: { type: 'string' } };
    const schema = { type: 'object', properties: { a: array, b: array } };
    const responses = { 200: { description: '', headers: { Link: {} }, content: { 'application/json': { schema } } } };
    expect(() => methodsOf({ '/v1/things': { get: operation({ responses }) } })).toThrow('must have one array');
  });
});
