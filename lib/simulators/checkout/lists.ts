import { invalid, json } from '#lib/simulators/checkout/errors.ts';
import { isPayment, paymentView, type StoredPayment } from '#lib/simulators/checkout/objects.ts';
import { apiRoute, checkBody, textIn } from '#lib/simulators/checkout/requests.ts';
import type { Call, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireResponse } from '#lib/simulators/kit/wire.ts';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 1_000;

const TERM = /^(?<field>[\w.]+):'(?<value>[^']+)'$/;

/** One term of a query. An asterisk stands for any text. */
function matches(payment: StoredPayment, term: string): boolean {
  const { field = '', value = '' } = TERM.exec(term.trim())?.groups ?? {};
  if (field === '') throw invalid('query_invalid');
  const [first = '', key] = field.split('.');
  const found = key === undefined ? Object(payment.body)[first] : Object(Object(payment.body)[first])[key];
  const pattern = value.split('*').map((text) => text.replaceAll(/[.?+^$[\]\\(){}|-]/g, '\\$&'));
  return found !== undefined && new RegExp(`^${pattern.join('.*')}$`).test(String(found));
}

/** `AND` of terms, of which one may be an `OR` in parentheses. */
const isFound = (payment: StoredPayment, query: string): boolean =>
  query.split(' AND ').every((part) =>
    part
      .replaceAll(/^\(|\)$/g, '')
      .split(' OR ')
      .some((term) => matches(payment, term)),
  );

function timeIn(call: Call, name: string, none: number): number {
  const text = textIn(call.input, name, 40);
  const at = text === undefined ? none : Date.parse(text);
  if (Number.isNaN(at)) throw invalid(`${name}_invalid`);
  return at;
}

/** Newest first. */
function searchPayments(call: Call, work: UnitOfWork): WireResponse {
  checkBody(call);
  const query = textIn(call.input, 'query', 1_024);
  const limit = call.input.limit ?? DEFAULT_LIMIT;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw invalid('limit_invalid');
  const [from, to] = [timeIn(call, 'from', 0), timeIn(call, 'to', Number.MAX_SAFE_INTEGER)];
  const found = work.objects
    .ofKind(work.account, 'payment')
    .filter(isPayment)
    .filter(({ body }) => Date.parse(body.requested_on) >= from && Date.parse(body.requested_on) <= to)
    .filter((payment) => query === undefined || isFound(payment, query))
    .toReversed();
  return json(200, { data: found.slice(0, limit).map(paymentView) });
}

export const listRoutes = [apiRoute('POST', '/payments/search', 'list', searchPayments)];
