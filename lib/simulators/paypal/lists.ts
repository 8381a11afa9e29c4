import type { Call, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { BASE_URL, type WireResponse } from '#lib/simulators/kit/wire.ts';
import { invalidRequest, json } from '#lib/simulators/paypal/errors.ts';
import { isCapture, isRefund, type StoredCapture, type StoredRefund } from '#lib/simulators/paypal/objects.ts';
import { apiRoute } from '#lib/simulators/paypal/requests.ts';
import { DAY } from '#shared/kernel/clock.ts';

const MAX_RANGE = 31 * DAY;
const MAX_PAGE_SIZE = 500;

/** Status of a capture or refund → that of the report. */
const STATUSES: Readonly<Record<string, string>> = { COMPLETED: 'S', PENDING: 'P', DECLINED: 'D', FAILED: 'D' };

/** PayPal's report calls `custom_id` another name. A refund names its capture, and its amount is negative. */
function transactionOf({ kind, body, parent }: StoredCapture | StoredRefund): object {
  const isPaid = kind === 'capture';
  const { currency_code, value } = body.amount;
  const transaction_info = {
    transaction_id: body.id,
    paypal_reference_id: parent,
    paypal_reference_id_type: isPaid ? 'ODR' : 'TXN',
    transaction_event_code: isPaid ? 'T0006' : 'T1107',
    transaction_initiation_date: body.create_time.replace('Z', '+0000'),
    transaction_updated_date: body.update_time.replace('Z', '+0000'),
    transaction_amount: { currency_code, value: isPaid ? value : `-${value}` },
    transaction_status: STATUSES[body.status] ?? 'S',
    ...(body.custom_id !== undefined && { custom_field: body.custom_id }),
    ...(body.invoice_id !== undefined && { invoice_id: body.invoice_id }),
  };
  return { transaction_info };
}

function timeIn(query: URLSearchParams, name: string): number {
  const at = Date.parse(query.get(name) ?? '');
  if (Number.isNaN(at)) throw invalidRequest(name, 'INVALID_PARAMETER_SYNTAX', 'The date is invalid.');
  return at;
}

function numberIn(query: URLSearchParams, name: string, none: number, max: number): number {
  const value = Number(query.get(name) ?? none);
  if (!Number.isInteger(value) || value < 1 || value > max)
    throw invalidRequest(name, 'INVALID_PARAMETER_VALUE', 'The value of a field is invalid.');
  return value;
}

/** Oldest first, both ends included, of 31 days at most. The report lags for hours; this one does not. */
function listTransactions({ request: { query } }: Call, work: UnitOfWork): WireResponse {
  const [start, end] = [timeIn(query, 'start_date'), timeIn(query, 'end_date')];
  if (end < start || end - start > MAX_RANGE)
    throw invalidRequest('end_date', 'INVALID_REQUEST', 'Date range is greater than 31 days');
  const [pageSize, page] = [
    numberIn(query, 'page_size', 100, MAX_PAGE_SIZE),
    numberIn(query, 'page', 1, Number.MAX_SAFE_INTEGER),
  ];
  const { objects, account } = work;
  const all = [
    ...objects.ofKind(account, 'capture').filter(isCapture),
    ...objects.ofKind(account, 'refund').filter(isRefund),
  ]
    .filter(({ body }) => Date.parse(body.create_time) >= start && Date.parse(body.create_time) <= end)
    .sort((a, b) => a.body.create_time.localeCompare(b.body.create_time));
  return json(200, {
    transaction_details: all.slice((page - 1) * pageSize, page * pageSize).map(transactionOf),
    account_number: account.slice(0, 13).toUpperCase(),
    start_date: new Date(start).toISOString(),
    end_date: new Date(end).toISOString(),
    page,
    total_items: all.length,
    total_pages: Math.max(1, Math.ceil(all.length / pageSize)),
    links: [{ href: `${BASE_URL}/paypal/v1/reporting/transactions?${query}`, rel: 'self', method: 'GET' }],
  });
}

export const listRoutes = [apiRoute('GET', '/v1/reporting/transactions', 'list', listTransactions)];
