import { type LinkStart, visitingCaller } from '#functions/hosted-pages/guest-caller.ts';
import { StartFields } from '#functions/hosted-pages/link-form.schema.ts';
import { fieldsOf, startPage, type Visit, whyClosed } from '#functions/hosted-pages/link-page.ts';
import { paymentAddress, paymentCookie, shownPayment } from '#functions/hosted-pages/link-session.ts';
import { startLinkPayment } from '#functions/hosted-pages/start-link-payment.usecase.ts';
import type { FormField, Notice } from '#functions/hosted-pages/views/link-view.model.ts';
import { currentAttempt } from '#shared/domain/payments/attempts.rules.ts';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { RawReply } from '#shared/http/route.ts';
import { AppError, need } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { cancelPayment } from '#shared/services/payments/cancel-payment.service.ts';
import { continueAttempt } from '#shared/services/payments/continue-attempt.service.ts';
import { assertInputExpected } from '#shared/services/payments/customer-input.service.ts';

type Filled = Visit & { readonly form: string; readonly fields: Readonly<Record<string, string>> };

/** The actions of a link's page, by the button's name. */
export const LINK_ACTS: ReadonlyMap<string, (filled: Filled, deps: Deps) => Promise<RawReply>> = new Map([
  ['start', startByForm],
  ['continue', continueByForm],
  ['cancel', cancelByForm],
]);

async function startByForm(filled: Filled, deps: Deps): Promise<RawReply> {
  const { link, setup, request } = filled;
  const { start, faults } = readStart(filled, deps);
  if (!start) return { ...startPage(filled, null, deps, { values: filled.fields, faults }), status: 400 };
  const { full } = await deps.rates.countLinkStart(request.ip, deps.clock.now());
  if (full)
    throw new AppError(
      'rate_limited',
      `Too many payments were started from this address. Try again in ${full.retryAfter} s.`,
      full,
    );
  const payment = await startLinkPayment(link, start, setup, deps);
  if (payment === 'no_slot') return { ...startPage(await afresh(filled, deps), null, deps), status: 409 };
  if (payment === 'not_open')
    return { ...startPage(filled, NOT_OPEN, deps, { values: filled.fields, faults: [] }), status: 409 };
  return seeOther(paymentAddress(link.id, payment.id, deps.config), [paymentCookie(link.id, payment.id, deps.config)]);
}

/** The reason is the merchant's business, not the customer's. */
const NOT_OPEN: Notice = { kind: 'declined', failure: failureOf(declineOf('no_route')) };

/** A link that refused a start has changed since it was read, or all its remaining slots are held. */
async function afresh(filled: Filled, { paymentLinks, clock }: Deps): Promise<Filled> {
  const link = (await paymentLinks.byId(filled.link.id)) ?? filled.link;
  return { ...filled, link: whyClosed(link, clock.now()) ? link : { ...link, slots_left: 0 } };
}

function readStart(
  { form, fields, link, request, setup }: Filled,
  deps: Deps,
): { readonly start?: LinkStart; readonly faults: readonly FormField[] } {
  const asked = fieldsOf({ link, request, setup }, deps);
  const read = StartFields.safeParse({ method: link.methods[0], ...fields });
  const wrong = read.success ? [] : read.error.issues.map(({ path }) => path[0] as FormField);
  const { method = '', country, email } = read.data ?? {};
  const faults: FormField[] = [
    ...wrong,
    ...(read.success && !link.methods.includes(method) ? (['method'] as const) : []),
    ...(read.success && asked.country === 'required' && country === undefined ? (['country'] as const) : []),
    ...(read.success && asked.email === 'required' && email === undefined ? (['email'] as const) : []),
  ];
  if (faults.length > 0) return { faults };
  return {
    faults,
    start: { form, ip: request.ip, method, ...(country && { country }), ...(email && { customer_email: email }) },
  };
}

/** Passes on the customer's input, such as a code from the bank. */
async function continueByForm({ request, link, fields }: Filled, deps: Deps): Promise<RawReply> {
  const payment = await paymentOf({ request, link }, deps);
  const attempt = currentAttempt(payment);
  const address = paymentAddress(link.id, payment.id, deps.config);
  if (payment.next_action?.type !== 'collect' || !attempt) return seeOther(address);
  const { csrf: _, do: __, ...input } = fields;
  assertInputExpected(payment, input);
  const after = await continueAttempt(payment, attempt, input, deps);
  const same =
    after.status === 'requires_action' && JSON.stringify(after.next_action) === JSON.stringify(payment.next_action);
  return seeOther(same ? `${address}&refused=1` : address);
}

/**
 * The customer wants another way to pay, or to stop. Where the PSP does not cancel, the page shows the payment's
 * status, as it does while the PSP decides or the payment is in review.
 */
async function cancelByForm({ request, link, setup, form }: Filled, deps: Deps): Promise<RawReply> {
  const payment = await paymentOf({ request, link }, deps);
  const address = paymentAddress(link.id, payment.id, deps.config);
  if (payment.status !== 'requires_action' || payment.review) return seeOther(address);
  await cancelPayment({ id: payment.id }, visitingCaller(link, { form, ip: request.ip }, setup), deps).catch(
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    },
  );
  return seeOther(address);
}

async function paymentOf({ request, link }: Pick<Visit, 'request' | 'link'>, deps: Deps): Promise<Payment> {
  const shown = shownPayment(request, deps.config);
  const payment = shown && (await deps.payments.get(link.org_id, shown.id));
  return need(payment?.payment_link_id === link.id ? payment : undefined, 'There is no such payment.');
}

const seeOther = (location: string, cookies: readonly string[] = []): RawReply => ({
  status: 303,
  headers: { location },
  cookies,
});
