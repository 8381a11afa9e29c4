import { siteAt } from '#functions/hosted-pages/link-page.ts';
import { paymentAddress } from '#functions/hosted-pages/link-session.ts';
import { languageOf } from '#functions/hosted-pages/views/language.page.ts';
import { renderThanks } from '#functions/hosted-pages/views/render-link-page.page.ts';
import { currentAttempt } from '#shared/domain/payments/attempts.rules.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { RawReply, RawRequest } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { sameText } from '#shared/kernel/same-text.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { returnToken } from '#shared/services/payments/charge-order.service.ts';
import { continueAttempt } from '#shared/services/payments/continue-attempt.service.ts';
import { askNow } from '#shared/services/payments/reconcile-payment.service.ts';

/**
 * The customer comes back from the PSP's page: the payment is settled, and they are redirected to the merchant's
 * `return_url`.
 */
export async function returnCustomer(request: RawRequest, deps: Deps): Promise<RawReply> {
  const { params, query } = request;
  const id = params.payment_id ?? '';
  const payment = sameText(query.t ?? '', returnToken(id, deps.config)) ? await deps.payments.byId(id) : undefined;
  if (!payment) throw new AppError('not_found', 'There is no such payment.');
  const settled = await goOn(payment, request, deps);
  if (settled.payment_link_id !== null)
    return { status: 303, headers: { location: paymentAddress(settled.payment_link_id, id, deps.config) } };
  if (settled.return_url === null) {
    const page = renderThanks(languageOf(request.headers['accept-language']), siteAt(deps.config));
    return { status: 200, headers: page.headers, body: page.html };
  }
  return { status: 303, headers: { location: destination(settled, settled.return_url) } };
}

/** Some PSPs are sent the returned parameters, the others are asked. The parameters prove nothing. */
async function goOn(payment: Payment, request: RawRequest, deps: Deps): Promise<Payment> {
  if (payment.status !== 'requires_action' && payment.status !== 'processing') return payment;
  const attempt = currentAttempt(payment);
  const adapter = attempt && deps.psp.adapter(attempt.provider);
  const input = attempt && mayGoOn(payment, attempt) ? adapter?.readReturn?.(parametersOf(request)) : undefined;
  return attempt && input ? continueAttempt(payment, attempt, input, deps) : askNow(payment, deps);
}

/** Also after a call whose answer was lost: passing the same parameters on again is the same call. */
const mayGoOn = ({ status }: Payment, { phase, handed_out }: Attempt): boolean =>
  status === 'requires_action' || (phase === 'unknown' && handed_out === true);

/** The parameters of query and form, without our own token. */
function parametersOf({ query: { t: _, ...query }, rawBody, headers }: RawRequest): Readonly<Record<string, string>> {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  const fields = isForm ? Object.fromEntries(new URLSearchParams(rawBody.toString('utf8'))) : {};
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { ...Object.fromEntries(given), ...fields };
}

function destination(payment: Payment, returnUrl: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set('payment_id', payment.id);
  url.searchParams.set('status', payment.status);
  return url.href;
}
