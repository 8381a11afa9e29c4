import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { findPlaces, type Place } from '#client/reference/find-places.ts';
import { CONTROL_CALLS } from '#lib/local/control-calls.ts';
import { type ApiDescription, endpointsOf } from '#lib/reference/api-description.ts';
import { groupPath } from '#lib/reference/api-groups.ts';
import { buildReference } from '#lib/reference/build-reference.ts';
import { callId } from '#lib/reference/pages/control-page.ts';
import { COMMON_TOKENS, PROVIDER_TOKENS } from '#lib/reference/test-tokens.ts';
import { FAILURES } from '#shared/domain/payments/declines.catalog.ts';
import { DOCUMENT_NAMES, joinDocuments } from '#shared/domain/reference/api-documents.rules.ts';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';
import { ERROR_CODES } from '#shared/kernel/errors.ts';

const files = buildReference();
const [main, dashboard] = DOCUMENT_NAMES.map((name) => JSON.parse(readFileSync(`${name}.json`, 'utf8')));
const document: ApiDescription = joinDocuments(main, dashboard);
const textOf = (name: string): string => files.get(name)?.toString() ?? expect.fail(`There is no ${name}.`);
const named = (ending: string): readonly string[] => [...files.keys()].filter((name) => name.endsWith(ending));

const PAGES = named('.html');
const idsOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
const ids = new Map(PAGES.map((page) => [page, new Set(idsOf(page))]));
const linksOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, target = '']) => target.replaceAll('&amp;', '&'));

/** Addresses that other functions serve. */
const ELSEWHERE = ['/dashboard', '/openapi.json', '/openapi-dashboard.json', '/llms.txt', '/llms-full.txt'];

/** Whether a link of a page leads to a page, a file and a place on it. */
function leadsSomewhere(page: string, target: string): boolean {
  if (/^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost):|data:)/.test(target) || ELSEWHERE.includes(target)) return true;
  const [path = '', anchor] = target.split('#');
  const name = path === '' ? page.replace(/\.html$/, '') : path.replace(/^\/docs\/?/, '') || 'index';
  if (files.has(name)) return true;
  const places = ids.get(`${name}.html`);
  return places !== undefined && (anchor === undefined || places.has(decodeURIComponent(anchor)));
}

/** What stands between fences of this language in the Markdown of the pages. */
const blocks = (language: string, of: (name: string) => boolean = () => true): readonly string[] =>
  named('.md')
    .filter(of)
    .flatMap((name) => [...textOf(name).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))])
    .map(([, text = '']) => text);

describe('the pages of the documentation', () => {
  it('lead nowhere that does not exist, not even to a place on a page', () => {
    const links = PAGES.flatMap((page) => linksOf(page).map((target) => ({ page, target })));
    expect(links.length).toBeGreaterThan(2_000);
    expect(links.filter(({ page, target }) => !leadsSomewhere(page, target))).toEqual([]);
  });

  it('are made of every guide, and the first page leads to each of them', () => {
    const guides = readdirSync('docs/guides').map((file) => `guides/${file.replace(/md$/, 'html')}`);
    expect(guides.length).toBeGreaterThan(5);
    expect(PAGES).toEqual(expect.arrayContaining(guides));
    const start = linksOf('index.html');
    expect(guides.filter((guide) => !start.includes(`/docs/${guide.replace(/\.html$/, '')}`))).toEqual([]);
  });

  it('have each name of a place once', () => {
    const twice = PAGES.flatMap((page) => {
      const all = idsOf(page);
      return all.filter((id, index) => all.indexOf(id) !== index).map((id) => `${page}#${id}`);
    });
    expect(twice).toEqual([]);
  });

  it('load nothing from another site, and have no script or style in their markup', () => {
    for (const page of PAGES) {
      expect(textOf(page), page).not.toMatch(
        /<script(?![^>]* src="\/docs\/assets\/)|<style|\sstyle=|\son\w+=|<(?:img|iframe)/,
      );
      expect(textOf(page), page).not.toMatch(/<link [^>]*href="https?:/);
    }
  });

  it('have a place for every operation, with its request in curl and, where there is a method, in the client', () => {
    const endpoints = endpointsOf(document);
    expect(endpoints.length).toBeGreaterThan(120);
    const missing = endpoints.filter(({ tag, operationId }) => !ids.get(`${groupPath(tag)}.html`)?.has(operationId));
    expect(missing.map(({ operationId }) => operationId)).toEqual([]);
    const curls = blocks('sh', (name) => name.startsWith('api/'));
    expect(curls.length).toBe(endpoints.length);
    const calls = blocks('ts', (name) => name.startsWith('api/'));
    expect(calls.length).toBe(
      endpoints.filter(({ path, deprecated }) => path.startsWith('/v1/') && !deprecated).length,
    );
  });

  it('have a place for every error code, event type, failure code, test token and call of the control server', () => {
    const places = (page: string) => [...(ids.get(page) ?? [])];
    expect(places('errors.html')).toEqual(expect.arrayContaining(Object.keys(ERROR_CODES)));
    expect(places('events.html')).toEqual(expect.arrayContaining([...EVENT_TYPES]));
    expect(places('test-tokens.html')).toEqual(
      expect.arrayContaining(Object.keys(FAILURES).map((code) => `failure-${code}`)),
    );
    for (const { token } of [...COMMON_TOKENS, ...PROVIDER_TOKENS])
      expect(textOf('test-tokens.md')).toContain(`\`${token}\``);
    expect(places('control-server.html')).toEqual(expect.arrayContaining(CONTROL_CALLS.map(callId)));
  });

  it('show examples that can be read by machines: JSON, shell and TypeScript', () => {
    const reference = (name: string): boolean => /^(api\/|events|errors|control|index)/.test(name);
    for (const text of blocks('json', reference)) expect(() => JSON.parse(text), text).not.toThrow();
    const script = blocks('sh', reference).join('\n');
    const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    const programs = blocks('ts', reference);
    expect(programs.length).toBeGreaterThan(100);
    for (const text of programs) expect(() => transformSync(text, { loader: 'ts' }), text).not.toThrow();
  });

  it('show requests that can be sent one after the other: no two share an idempotency key', () => {
    const samples = blocks('sh', (name) => name.startsWith('api/'));
    const keys = samples.flatMap((sample) => /-H "Idempotency-Key: ([^"]+)"/.exec(sample)?.[1] ?? []);
    expect(keys.length).toBeGreaterThan(60);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('show an event of each type, which is what the document says', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'api');
    const events = blocks('json', (name) => name === 'events.md').map((text) => JSON.parse(text));
    expect(events.map(({ type }) => type)).toEqual([...EVENT_TYPES]);
    const isEvent = ajv.compile({ $ref: 'api#/components/schemas/EventPayload' });
    expect(events.filter((event) => !isEvent(event))).toEqual([]);
  });

  it('name every method that the client has, and no other', async () => {
    const { Payfork } = await import('#client/typescript/src/index.ts');
    const client = new Payfork({ baseUrl: 'http://127.0.0.1:1', key: 'sk_sandbox_none' });
    const has = Object.entries(client).flatMap(([group, methods]) =>
      typeof methods === 'object' && methods !== null
        ? Object.entries(methods).flatMap(([name, method]) =>
            typeof method === 'function' ? [`${group}.${name}`] : [],
          )
        : [],
    );
    const shown = blocks('ts', (name) => name.startsWith('api/')).flatMap((text) => [
      ...text.matchAll(/payfork\.(\w+\.\w+)\(/g),
    ]);
    expect(shown.map(([, name]) => name).sort()).toEqual(has.sort());
  });
});

describe('the Markdown of the documentation', () => {
  it('has every page, with its title, and links that lead to Markdown again', () => {
    const markdown = new Set(named('.md'));
    expect(markdown.size).toBe(PAGES.length);
    for (const page of markdown) {
      const text = textOf(page);
      expect(text, page).toMatch(/^# \S/);
      const inside = [...text.matchAll(/\]\(https:\/\/payfork-api\.invalid\/docs\/([\w/-]+\.md)/g)];
      expect(inside.filter(([, target = '']) => !markdown.has(target)).map(([link]) => `${page}: ${link}`)).toEqual([]);
      expect(
        text.match(/\]\((?!https?:|\/|#)[^)]*\)/g)?.filter((link) => !text.includes(`\`${link}`)) ?? [],
        page,
      ).toEqual([]);
    }
  });

  it('is listed in llms.txt, page by page, and stands in llms-full.txt as a whole', () => {
    const [list, whole] = [textOf('llms.txt'), textOf('llms-full.txt')];
    for (const page of named('.md')) {
      expect(list).toContain(`/docs/${page})`);
      expect(whole).toContain(textOf(page).trim());
    }
    expect(list.split('\n').filter((line) => line.startsWith('- ') && !/[.?!]$/.test(line))).toEqual([]);
  });
});

describe('the search of the documentation', () => {
  const places: readonly Place[] = JSON.parse(textOf(named('.json')[0] ?? ''));
  const first = (asked: string): string => findPlaces(places, asked)[0]?.[2] ?? 'nothing';

  it.each([
    ['every error code', Object.keys(ERROR_CODES).map((code) => [code, `/docs/errors#${code}`])],
    [
      'every failure code that is no error code',
      Object.keys(FAILURES)
        .filter((code) => !Object.hasOwn(ERROR_CODES, code))
        .map((code) => [code, `/docs/test-tokens#failure-${code}`]),
    ],
    ['every event type', EVENT_TYPES.map((type) => [type, `/docs/events#${type}`])],
    [
      'every operation by its title',
      endpointsOf(document)
        .filter(({ deprecated, path }) => !deprecated && path.startsWith('/v1/'))
        .map(({ summary = '', tag, operationId }) => [summary, `/docs/${groupPath(tag)}#${operationId}`]),
    ],
  ])('finds %s first', (_, wanted) => {
    expect(wanted.filter(([asked = '', address]) => first(asked) !== address)).toEqual([]);
  });

  it.each([
    ['verify signature', '/docs/guides/webhooks#verify-the-signature'],
    ['REFUND', '/docs/api/payments'],
    ['/v1/payments/{id}/capture', '/docs/api/payments'],
    ['clock', '/docs/control-server'],
  ])('finds what "%s" means', (asked, page) => expect(first(asked)).toContain(page));

  it('finds nothing for a word that stands nowhere, and for no word', () => {
    expect([findPlaces(places, 'xyzzy'), findPlaces(places, '  ')]).toEqual([[], []]);
  });
});

it('the files of the documentation stay small, compressed', () => {
  const kB = (name: string): number => gzipSync(textOf(name), { level: 9 }).length / 1_000;
  const largest = PAGES.toSorted((a, b) => kB(b) - kB(a))[0] ?? '';
  const sizes = [largest, ...named('.js'), ...named('.css'), ...named('.json'), 'llms-full.txt'];
  console.info(sizes.map((name) => `${name} ${kB(name).toFixed(1)} kB`).join(', '));
  const most = (names: readonly string[]): number => Math.max(...names.map(kB));
  expect(most(PAGES)).toBeLessThan(60);
  expect(most(named('.js'))).toBeLessThan(6);
  expect(most(named('.css'))).toBeLessThan(6);
  expect(most(named('.json'))).toBeLessThan(50);
});
