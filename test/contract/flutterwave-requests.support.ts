import { readFileSync } from 'node:fs';
import type { ReceivedRequest } from '#test/contract/canned-server.ts';
import type { RequestCheck } from '#test/contract/openapi-check.ts';

type Sent = { readonly [name: string]: unknown };
const sentIn = (request: ReceivedRequest | undefined): Sent => (request?.body ? JSON.parse(request.body) : {});

/** What the facts file lacks and Flutterwave's own pages have. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  'POST /charges': [
    'redirect_url',
    'meta',
    'ip',
    'narration',
    'phone_number',
    'network',
    'country',
    'order_id',
    'fullname',
  ],
};
const MORE = [
  {
    op: 'tokenized_charge',
    method: 'POST',
    path: '/tokenized-charges',
    required: ['tx_ref', 'amount', 'currency', 'email', 'token'],
    optional: ['country', 'ip', 'narration', 'redirect_url', 'meta', 'first_name', 'last_name'],
  },
  { op: 'list_refunds', method: 'GET', path: '/refunds?id=&page=' },
];

type Endpoint = {
  method: string | null;
  path?: string;
  required?: string[];
  required_common?: string[];
  optional?: string[];
  types?: string[];
};

const nameOf = (text: string): string => text.replace(/[ (].*$/, '');
const valueAt = (body: Sent, path: string): unknown =>
  path.split('.').reduce<unknown>((node, key) => (node as Sent | undefined)?.[key], body);

/** Holds requests against the facts file: address, query, media type, fields that must be there and that may be. */
export function flutterwaveCheck(secretKey = ''): RequestCheck {
  const facts = JSON.parse(
    readFileSync(new URL('../../../shared/psp-specs/flutterwave.facts.json', import.meta.url), 'utf8'),
  );
  const endpoints: Endpoint[] = [...facts.v3.endpoints, ...MORE];
  return (request) => {
    const { method, query, headers } = request;
    const path = request.path.replace(/^\/v3/, '');
    const found = endpoints.find((each) => {
      const [template = ''] = (each.path ?? '').split('?');
      return each.method === method && new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path);
    });
    if (!found || request.path === path) return [`${method} ${request.path}: no such operation`];
    const [template = '', queryText = ''] = (found.path ?? '').split('?');
    const body = sentIn(request);
    const { required = [], required_common = [], optional = [], types } = found;
    const needed = [...required, ...required_common].map(nameOf);
    const allowed = new Set(
      [...needed, ...optional.map(nameOf), ...(BESIDE[`${method} ${template}`] ?? [])].map(
        (name) => name.split('.')[0],
      ),
    );
    const queries = new Set([...new URLSearchParams(queryText).keys()]);
    return [
      ...(headers.authorization === `Bearer ${secretKey}` ? [] : ['is not signed in']),
      ...(method === 'POST' && headers['content-type'] !== 'application/json' ? ['is no JSON'] : []),
      ...[...query.keys()].filter((name) => !queries.has(name)).map((name) => `has an unknown query ${name}`),
      ...(types && !types.includes(query.get('type') ?? '') ? ['has an unknown type'] : []),
      ...needed.filter((name) => valueAt(body, name) === undefined).map((name) => `lacks ${name}`),
      ...Object.keys(body)
        .filter((name) => !allowed.has(name))
        .map((name) => `has unknown ${name}`),
      ...(body.amount !== undefined && typeof body.amount !== 'number' ? ['amount is no number'] : []),
      ...(String(body.tx_ref ?? '').length > 100 ? ['tx_ref is too long'] : []),
      ...Object.keys((body.meta as Sent | undefined) ?? {})
        .filter((name) => !/^\w+$/.test(name))
        .map((name) => `meta has ${name}`),
    ].map((fault) => `${method} ${request.path}: ${fault}`);
  };
}
