import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiWords } from '#functions/openapi/api-words.ts';
import { describeApi } from '#functions/openapi/describe-api.ts';
import { METHOD_NOTES, VALUE_NOTES } from '#functions/openapi/notes/enum-values.notes.ts';
import { ERROR_NOTES } from '#functions/openapi/notes/error-codes.notes.ts';
import { withWords } from '#functions/openapi/with-words.ts';
import { wordBook } from '#functions/openapi/word-book.ts';
import { ROUTES } from '#functions/route-table.ts';
import { routeMatcher } from '#shared/http/route-match.ts';
import { ERROR_CODES } from '#shared/kernel/errors.ts';
import { PSPS } from '#shared/psp/providers.ts';
import type { Body } from '#test/support/host.ts';

const words = apiWords();
let api: Body;
beforeAll(async () => {
  api = JSON.parse(JSON.stringify(await describeApi(words)));
});

type Place = { readonly place: string; readonly node: Body };

/** Every object of the document but what examples show, which may have any names. */
function* nodes(node: Body, place: string): Generator<Place> {
  if (typeof node !== 'object' || node === null) return;
  yield { place, node };
  for (const [name, inner] of Object.entries<Body>(node))
    if (name !== 'example' && name !== 'examples') yield* nodes(inner, `${place}/${name}`);
}

/** What has to have words: components, properties and parameters. */
function described(): readonly Place[] {
  const properties = [...nodes(api, '#')].flatMap(({ place, node }) =>
    typeof node.properties === 'object' && (node.type === 'object' || node.properties.type?.type === undefined)
      ? Object.entries<Body>(node.properties).map(([name, inner]) => ({ place: `${place}/${name}`, node: inner }))
      : [],
  );
  const components = ['schemas', 'parameters', 'headers', 'securitySchemes'].flatMap((kind) =>
    Object.entries<Body>(api.components[kind]).map(([name, node]) => ({ place: `${kind}/${name}`, node })),
  );
  const parameters = Object.entries<Body>(api.paths).flatMap(([path, item]) =>
    Object.entries<Body>(item).flatMap(([method, operation]) =>
      (operation.parameters ?? []).map((node: Body) => ({ place: `${method} ${path} ${node.name}`, node })),
    ),
  );
  return [...properties, ...components, ...parameters];
}

/** Its own words, or those of a component that it refers to. */
const hasWords = (node: Body): boolean =>
  typeof node.description === 'string' ||
  (typeof node.$ref === 'string' && hasWords(at(node.$ref))) ||
  [node.anyOf, node.oneOf, node.allOf].some((either) => either?.some(hasWords));

const at = (ref: string): Body =>
  ref
    .split('/')
    .slice(1)
    .reduce((node: Body, name) => node[name], api);

/** Of a property, and of a component, which says how its properties belong together. */
const MAX_LENGTH = 400;
const MAX_COMPONENT_LENGTH = 750;
/** Begins like a sentence, or with a name in code or a number; ends with a full stop. */
const isSentence = (text: string): boolean => /^["`\d\p{Lu}]/u.test(text) && /[.…]$/.test(text);

describe('the words of the API document', () => {
  it('are there for every component, property and parameter', () => {
    expect(described().length).toBeGreaterThan(1_500);
    expect(
      described()
        .filter(({ node }) => !hasWords(node))
        .map(({ place }) => place),
    ).toEqual([]);
  });

  it('are sentences of a length that one reads', () => {
    const texts = described().flatMap(({ place, node }) =>
      typeof node.description === 'string' ? [{ place, text: node.description as string }] : [],
    );
    expect(texts.filter(({ text }) => !isSentence(text))).toEqual([]);
    const maxOf = (place: string) => (place.startsWith('schemas/') ? MAX_COMPONENT_LENGTH : MAX_LENGTH);
    expect(texts.filter(({ text, place }) => text.length > maxOf(place))).toEqual([]);
  });

  it('say what null means, of everything that may be null', () => {
    const mayBeNull = ({ type, anyOf = [] }: Body) =>
      [type].flat().includes('null') || anyOf.some((either: Body) => either.type === 'null');
    const nullable = described().filter(({ node }) => mayBeNull(node));
    expect(nullable.length).toBeGreaterThan(150);
    expect(nullable.filter(({ node }) => !/null/i.test(node.description ?? '')).map(({ place }) => place)).toEqual([]);
  });

  it('have a use, each of them', () => expect(words.unused()).toEqual([]));

  it('do not replace what a shape says of itself, and prefer those of the component to those for all', () => {
    const book = wordBook([{ 'Thing, Other': { this: 'A thing.', 'parts[].size': 'In grams.' } }], {
      size: 'In metres.',
      name: 'A name.',
    });
    const size = { type: 'integer' } as const;
    const parts = { type: 'array', items: { type: 'object', properties: { size } } } as const;
    const schema = {
      type: 'object',
      properties: { size, parts, name: { type: 'string', description: 'Own.' } },
    } as const;
    const before = {
      openapi: '3.1.0',
      info: { title: '', version: '' },
      paths: {},
      components: { schemas: { Thing: schema } },
    };
    const { components } = withWords(before as Parameters<typeof withWords>[0], book) as Body;
    const { description, properties } = components.schemas.Thing;
    expect(description).toBe('A thing.');
    expect(properties.size.description).toBe('In metres.');
    expect(properties.parts.items.properties.size.description).toBe('In grams.');
    expect(properties.name.description).toBe('Own.');
    expect(book.unused()).toEqual(['Other this', 'Other parts[].size']);
  });
});

it('every value with words stands in the document, with those of all values beside it', () => {
  const shown = [...nodes(api, '#')].filter(({ node }) => node['x-enumDescriptions'] && Array.isArray(node.enum));
  expect(shown.filter(({ node }) => Object.keys(node['x-enumDescriptions']).join() !== node.enum.join())).toEqual([]);
  const lists = new Set(shown.map(({ node }) => [...node.enum].sort().join()));
  expect(VALUE_NOTES.map((words) => Object.keys(words).sort().join()).filter((key) => !lists.has(key))).toEqual([]);
  const texts = [...VALUE_NOTES, METHOD_NOTES].flatMap((words) => Object.values(words));
  expect(texts.filter((text) => !isSentence(text) && !/^(?:eps|iDEAL)/.test(text))).toEqual([]);
});

it('every payment method of a provider has words, and no other', () => {
  const methods = new Set(Object.values(PSPS).flatMap(({ capabilities }) => capabilities.methods));
  expect(Object.keys(METHOD_NOTES).sort()).toEqual([...methods].sort());
});

it('every error code has a cause and a remedy in whole sentences', () => {
  const isUnclear = (text: string) => !isSentence(text) || text.length > MAX_LENGTH;
  const unclear = Object.entries(ERROR_NOTES).filter(([, { cause, remedy }]) => isUnclear(cause) || isUnclear(remedy));
  expect(unclear).toEqual([]);
  expect(Object.keys(ERROR_NOTES).sort()).toEqual(Object.keys(ERROR_CODES).sort());
});

/** Commands of a shell have a quote before the path, and a query after it. */
const ENDPOINT = /\b(GET|HEAD|POST|PATCH|DELETE) "?(\/(?:v1|mcp|openapi(?:-dashboard)?\.json|health)\b[\w/{}$.-]*)/g;

it('the document, its errors and the guides name only endpoints that exist', async () => {
  const guides = await readdir('docs/guides');
  const texts = [
    ...[...nodes(api, '#')].map(({ node }) => `${node.summary} ${node.description}`),
    ...Object.values(ERROR_NOTES).flatMap(({ cause, remedy }) => [cause, remedy]),
    ...(await Promise.all(guides.map((name) => readFile(`docs/guides/${name}`, 'utf8')))),
  ];
  const match = routeMatcher(Object.values(ROUTES).flat());
  const named = texts.flatMap((text) => [...text.matchAll(ENDPOINT)]);
  expect(named.length).toBeGreaterThan(60);
  const missing = named.filter(([, method = '', path = '']) => {
    const asked = method === 'HEAD' ? 'GET' : method;
    return !match(asked, path.replace(/\.$/, ''));
  });
  expect(missing.map(([text]) => text)).toEqual([]);
});
