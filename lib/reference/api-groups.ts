import {
  type ApiDescription,
  type Endpoint,
  endpointsOf,
  jsonOf,
  nameOf,
  resolved,
  type Schema,
  successOf,
} from '#lib/reference/api-description.ts';
import type { ObjectPlace, ObjectPlaces } from '#lib/reference/field-tree.ts';
import { addressOf } from '#lib/reference/page.model.ts';

/** The operations of one tag, and the objects that are described on its page. */
export type ApiGroup = {
  readonly tag: string;
  readonly title: string;
  readonly description: string;
  readonly endpoints: readonly Endpoint[];
  readonly objects: readonly string[];
};

export type Api = { readonly groups: readonly ApiGroup[]; readonly objects: ObjectPlaces };

const TITLES: Readonly<Record<string, string>> = {
  'ab-tests': 'A/B tests',
  'api-keys': 'API keys',
  auth: 'Sign-in and sessions',
  'hosted-pages': 'Hosted pages',
  openapi: 'API documents',
  policies: 'Fraud and retry policies',
  'psp-webhooks': 'Callbacks of providers',
};

/** `payment-links` is `Payment links`. */
const groupTitle = (tag: string): string =>
  TITLES[tag] ?? `${tag.charAt(0).toUpperCase()}${tag.slice(1).replaceAll('-', ' ')}`;

export const groupPath = (tag: string): string => `api/${tag}`;
export const objectId = (name: string): string => `object-${name}`;

/** In the order of the document's tags. */
export function apiOf(document: ApiDescription): Api {
  const byTag = Map.groupBy(endpointsOf(document), ({ tag }) => tag);
  const objects = objectPlaces(document, byTag);
  const homes = Map.groupBy(objects, ([, { tag }]) => tag);
  const tags = (document.tags ?? []).filter(({ name }) => byTag.has(name));
  const groups = tags.map(({ name: tag, description = '' }) => ({
    tag,
    title: groupTitle(tag),
    description,
    endpoints: byTag.get(tag) ?? [],
    objects: (homes.get(tag) ?? []).map(([name]) => name),
  }));
  return {
    groups,
    objects: new Map(objects.map(([name, { place }]) => [name, place])),
  };
}

type Home = { readonly tag: string; readonly place: ObjectPlace };

/** What at least two operations return, itself or in a list, is described once: where most of them are. */
function objectPlaces(
  document: ApiDescription,
  byTag: ReadonlyMap<string, readonly Endpoint[]>,
): readonly (readonly [string, Home])[] {
  const uses = [...byTag].flatMap(([tag, endpoints]) =>
    endpoints.flatMap((endpoint) => returnedBy(document, endpoint).map((name) => ({ name, tag }))),
  );
  const byName = Map.groupBy(uses, ({ name }) => name);
  return [...byName]
    .filter(([, of]) => of.length > 1)
    .map(([name, of]) => {
      const tag = mostOften(of.map((use) => use.tag));
      return [name, { tag, place: { name, address: `${addressOf(groupPath(tag))}#${objectId(name)}` } }] as const;
    });
}

/** The first of them, if two are as often. */
function mostOften(tags: readonly string[]): string {
  const counted = [...Map.groupBy(tags, (tag) => tag)].toSorted(([, a], [, b]) => b.length - a.length);
  return counted[0]?.[0] ?? '';
}

/** The components that are the response, or the items of its lists. */
function returnedBy(document: ApiDescription, endpoint: Endpoint): readonly string[] {
  const [, success] = successOf(endpoint) ?? [];
  const schema = jsonOf(success)?.schema;
  if (!schema) return [];
  const shape = resolved(document, schema);
  const lists: readonly Schema[] = [shape, ...Object.values(shape.properties ?? {})];
  const refs = [schema, ...lists.flatMap(({ items }) => items ?? [])].flatMap(({ $ref }) => $ref ?? []);
  return refs.filter((ref) => hasFields(resolved(document, { $ref: ref }))).map(nameOf);
}

/** A list of words, such as that of the providers, is no object. */
const hasFields = ({ properties, allOf, oneOf, anyOf }: Schema): boolean =>
  [properties, allOf, oneOf, anyOf].some((part) => part !== undefined);
