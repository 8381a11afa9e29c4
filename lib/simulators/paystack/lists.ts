import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { apiError } from '#lib/simulators/paystack/errors.ts';
import { isTransaction, transactionView } from '#lib/simulators/paystack/objects.ts';
import { type ApiRequest, apiRoute, type Success } from '#lib/simulators/paystack/requests.ts';

/** Newest first. `from` and `to` are times, or days. */
function listTransactions({ call }: ApiRequest, work: UnitOfWork): Success {
  const { query } = call.request;
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '9999'];
  const status = query.get('status');
  const perPage = Number(query.get('perPage') ?? query.get('per_page') ?? 50);
  const page = Number(query.get('page') ?? 1);
  if (![perPage, page].every((n) => Number.isInteger(n) && n > 0))
    throw apiError(400, { message: 'Invalid pagination values passed', code: 'invalid_pagination' });
  const all = work.objects
    .ofKind(work.account, 'transaction')
    .filter(isTransaction)
    .filter(({ body }) => body.created_at >= from && body.created_at.slice(0, to.length) <= to)
    .filter(({ body }) => status === null || body.status === status)
    .toReversed();
  const skipped = (page - 1) * perPage;
  return {
    message: 'Transactions retrieved',
    data: all.slice(skipped, skipped + perPage).map(transactionView),
    meta: { total: all.length, skipped, perPage, page, pageCount: Math.ceil(all.length / perPage) },
  };
}

export const listRoutes = [apiRoute('GET', '/transaction', 'list', listTransactions)];
