import type { Action, Page, StoredPage, StoredPayment } from '#lib/simulators/checkout/objects.ts';
import { HERE } from '#lib/simulators/frame/wire.ts';

type Links = Readonly<Record<string, { readonly href: string }>>;

export const selfOf = (id: string): string => `${HERE}/checkout/payments/${id}`;
export const redirectOf = ({ id }: StoredPayment): string => `${HERE}/checkout/3ds/${id}`;

/** What may be done next stands in the links. */
function linksOf(payment: StoredPayment): Links {
  const { id, status } = payment.body;
  const self = selfOf(id);
  return {
    self: { href: self },
    actions: { href: `${self}/actions` },
    ...(status === 'Authorized' && { capture: { href: `${self}/captures` }, void: { href: `${self}/voids` } }),
    ...(payment.body.balances.available_to_refund > 0 && { refund: { href: `${self}/refunds` } }),
    ...(status === 'Pending' && payment.notes.redirect && { redirect: { href: redirectOf(payment) } }),
  };
}

/** A look at a payment; the reasons stand with its actions. */
export const shown = (payment: StoredPayment): object => ({ ...payment.body, _links: linksOf(payment) });

/** The answer to a request that was processed at once. */
export function processed(
  payment: StoredPayment,
  { id, processed_on, response_code, response_summary }: Action,
): object {
  const { risk, source, customer, balances, reference, amount, currency, approved, status } = payment.body;
  const result = {
    id: payment.id,
    action_id: id,
    amount,
    currency,
    approved,
    status,
    response_code,
    response_summary,
    processed_on,
  };
  return { ...result, risk, source, customer, balances, reference, _links: linksOf(payment) };
}

/** The answer to one that waits. */
export function accepted(payment: StoredPayment): object {
  const { customer, reference } = payment.body;
  return {
    id: payment.id,
    status: 'Pending',
    reference,
    customer,
    '3ds': { downgraded: false, enrolled: 'Y' },
    _links: linksOf(payment),
  };
}

const pageLinks = ({ id, payment_id }: Page): Links => ({
  self: { href: `${HERE}/checkout/hosted-payments/${id}` },
  redirect: { href: `${HERE}/checkout/pay/${id}` },
  ...(payment_id !== undefined && {
    payment: { href: selfOf(payment_id) },
    payment_actions: { href: `${selfOf(payment_id)}/actions` },
  }),
});

export const shownPage = ({ body }: StoredPage): object => ({ ...body, _links: pageLinks(body) });

export function createdPage({ body }: StoredPage): object {
  return { id: body.id, reference: body.reference, _links: pageLinks(body) };
}
