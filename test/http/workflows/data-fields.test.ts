import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENT_TYPES, type EventType } from '#shared/domain/reference/events.catalog.ts';
import { EVENT_FIELDS, type FieldShape } from '#shared/domain/webhooks/event-fields.catalog.ts';
import { doEverything } from '#test/support/every-event.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { drain } from '#test/support/payment-steps.ts';

const TYPES = EVENT_TYPES.filter((type) => type !== 'service.webhook.test');

let host: TestHost;
let events: readonly Body[];
beforeAll(async () => {
  host = await startHost();
  await host.call('POST', '/v1/webhooks/config', { url: `${host.controlUrl}/receiver/fields/hook`, events: ['*'] });
  await doEverything(host);
  await drain(host);
  events = (await host.call('GET', '/v1/webhooks/events?limit=200')).body.events;
}, 90_000);
afterAll(() => host?.close());

const shownBy = (type: EventType): readonly Body[] =>
  events.filter((event) => event.type === type).map(({ data }) => data);

/** Each path that occurs in the published data, as deep as the catalogue goes. */
function pathsIn(thing: Body, shape: FieldShape | undefined, at = ''): string[] {
  if (typeof thing !== 'object' || thing === null || Array.isArray(thing) || shape === 'anything') return [];
  return Object.entries(thing).flatMap(([name, inner]) => {
    const deeper = typeof shape === 'object' ? shape[name] : undefined;
    return [`${at}${name}`, ...pathsIn(inner, deeper, `${at}${name}.`)];
  });
}

function pathsOf(shape: FieldShape, at = ''): string[] {
  if (typeof shape !== 'object') return [];
  return Object.entries(shape).flatMap(([name, inner]) => [`${at}${name}`, ...pathsOf(inner, `${at}${name}.`)]);
}

/**
 * Present only if the payment was created for something, or is captured later, or if a refund or capture failed, or if
 * a dispute was answered. What the network says, each provider tells in part. A link has a customer if the shop knows
 * one.
 */
const RARE =
  /^(payment_link_id|invoice_id|refund\.failure\..*|(authorized|captured|released)_amount|capturable_until|partially_approved|capture\.failure\..*|answer\..*|attempt(\..*)?|payment_method_id|save)$/;

describe('the catalogue of event fields', () => {
  it.each(EVENT_TYPES)('lists exactly the fields that %s publishes', (type) => {
    const shown = new Set(shownBy(type).flatMap((data) => pathsIn(data, EVENT_FIELDS[type])));
    const known = pathsOf(EVENT_FIELDS[type]);
    expect(shown.size).toBeGreaterThan(0);
    expect([...shown].filter((path) => !known.includes(path))).toEqual([]);
    const rare = (path: string) => RARE.test(path) || (type === 'payment_link.paid' && path === 'customer_id');
    expect(known.filter((path) => !shown.has(path) && !rare(path))).toEqual([]);
  });

  it('lists payment_link_id and invoice_id for payments of links and invoices', () => {
    const shown = new Set(
      events.filter(({ type }) => type === 'payment.succeeded').flatMap(({ data }) => Object.keys(data)),
    );
    expect([shown.has('payment_link_id'), shown.has('invoice_id')]).toEqual([true, true]);
  });
});

describe('the table of fields in the documentation', () => {
  const text = readFileSync(new URL('../../../docs/workflows.md', import.meta.url), 'utf8');
  const [, table = ''] = text.split('| event | fields of `data` |');
  const rows = [
    ...table.matchAll(/^\| (`(?:payment|subscription|invoice|payment_link|dispute)\.[^|]*) \| ([^|]*) \|$/gm),
  ].map(([, of = '', fields = '']) => ({
    types: namesIn(of),
    fields: namesIn(fields),
  }));

  function namesIn(cell: string): string[] {
    return [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, names = '']) => names.split(' '));
  }

  it.each(TYPES)('lists exactly the fields of %s', (type) => {
    const told = rows
      .filter(({ types }) => types.some((each) => each === type || each === `${type.split('.')[0]}.*`))
      .flatMap(({ fields }) => fields);
    expect(told.toSorted()).toEqual(Object.keys(EVENT_FIELDS[type]).toSorted());
  });
});
