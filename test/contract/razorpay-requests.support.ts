import { readFileSync } from 'node:fs';
import type { RequestCheck } from '#test/contract/openapi-check.ts';

type Sent = { readonly [name: string]: unknown };

/**
 * What the facts file lacks and Razorpay's own pages have: fields of links and saved methods, charges without the
 * customer, filters.
 */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  'POST /orders': ['payment_capture'],
  'POST /payment_links': ['accept_partial', 'description', 'notify', 'reminder_enable', 'options'],
  'POST /payments/create/json': [
    'token',
    'customer_id',
    'ip',
    'callback_url',
    'authentication',
    'browser',
    'user_agent',
    'referer',
    'description',
    'notes',
    'upi',
    'bank',
    'wallet',
  ],
  'POST /payments/{id}/capture': [],
};
const RECURRING = {
  method: 'POST',
  path: '/payments/create/recurring',
  required: {
    amount: 'int',
    currency: 'ISO',
    order_id: 'string',
    customer_id: 'string',
    token: 'string',
    recurring: 'boolean',
  },
  optional: { email: 'string', contact: 'string', description: 'string', notes: 'object' },
};
const LINKS = { method: 'GET', path: '/payment_links?reference_id={id}' };
const LINK = { method: 'GET', path: '/payment_links/{id}' };
const PING = { method: 'GET', path: '/payments?count=1' };
const FILTERS = ['count', 'skip', 'receipt', 'reference_id', 'expand[]'];
const KINDS: readonly (readonly [RegExp, (value: unknown) => boolean])[] = [
  [/^int/, Number.isSafeInteger],
  [/^bool/, (value) => typeof value === 'boolean'],
  [/^ISO/, (value) => /^[A-Z]{3}$/.test(String(value))],
  [/^<=40/, (value) => typeof value === 'string' && value.length <= 40],
  [/^string|^order_/, (value) => typeof value === 'string'],
  [/^object/, (value) => typeof value === 'object' && value !== null],
];

type Endpoint = { readonly method: string; readonly path: string; readonly required?: Sent; readonly optional?: Sent };

/**
 * Holds requests against what is known of each endpoint: path, filters, fields and their types, notes, and the headers
 * that must be there.
 */
export function factsCheck(): RequestCheck {
  const facts = JSON.parse(
    readFileSync(new URL('../../../shared/psp-specs/razorpay.facts.json', import.meta.url), 'utf8'),
  );
  const known: readonly Endpoint[] = facts.endpoints.filter(({ path }: { path: string | null }) => path !== null);
  const endpoints: readonly Endpoint[] = [...known, RECURRING, LINKS, LINK, PING].flatMap((one) =>
    one.path.split(' or ').map((path) => ({ ...one, path })),
  );
  const patternOf = (path: string) =>
    new RegExp(`^/v1${path.replace(/\?.*/, '').replace(/\{[^}]+\}/g, '[A-Za-z0-9_]+')}$`);
  return ({ method, path, query, headers, body: text }) => {
    const endpoint = endpoints.find((one) => one.method === method && patternOf(one.path).test(path));
    if (!endpoint) return [`${method} ${path}: no such endpoint`];
    const given: Sent = text ? JSON.parse(text) : {};
    const { required = {}, optional = {} } = endpoint;
    const shape: Sent = { ...optional, ...required };
    const beside = BESIDE[`${method} ${endpoint.path.replace(/\{[^}]+\}/, '{id}')}`] ?? [];
    const faults = [
      ...Object.keys(required)
        .filter((name) => given[name] === undefined)
        .map((name) => `lacks ${name}`),
      ...Object.keys(given)
        .filter((name) => shape[name] === undefined && !beside.includes(name))
        .map((name) => `has an unknown ${name}`),
      ...Object.entries(given)
        .filter(([name, value]) => !(KINDS.find(([kind]) => kind.test(String(shape[name])))?.[1](value) ?? true))
        .map(([name]) => `${name} has another type`),
      ...[...query.keys()]
        .filter((name) => !FILTERS.includes(name))
        .map((name) => `query parameter ${name} is unknown`),
      ...Object.values((given.notes as Sent | undefined) ?? {})
        .filter((value) => String(value).length > 256)
        .map(() => 'has too long a note'),
      ...(/^Basic [A-Za-z0-9+/=]+$/.test(headers.authorization ?? '') ? [] : ['is not signed in']),
      ...(method === 'POST' && headers['content-type'] !== 'application/json' ? ['is no JSON'] : []),
      ...(/\/refund$/.test(path) && !/^[A-Za-z0-9_-]{10,}$/.test(String(headers['x-refund-idempotency']))
        ? ['has no usable key']
        : []),
    ];
    return faults.map((fault) => `${method} ${path}: ${fault}`);
  };
}
