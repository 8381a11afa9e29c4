import { showAccountLink } from '#functions/hosted-pages/account-links/show-account-link.usecase.ts';
import { submitLinkForm } from '#functions/hosted-pages/link-actions.ts';
import { returnCustomer } from '#functions/hosted-pages/return-customer.usecase.ts';
import { redirectToPage, showLinkPage } from '#functions/hosted-pages/show-link-page.usecase.ts';
import { showSignIn } from '#functions/hosted-pages/sign-in/show-sign-in.usecase.ts';
import { renderSignInError } from '#functions/hosted-pages/sign-in/sign-in.page.ts';
import { renderErrorResponse } from '#functions/hosted-pages/views/render-link-page.page.ts';
import { CHANGE_ERRORS, type RawResponses, type RawRoute } from '#shared/http/route.ts';

const HTML = { 'text/html': { schema: { type: 'string' } } } as const;

const paymentPage = { rate: 'reads', renderError: renderErrorResponse } as const;
const errors = ['not_found', ...CHANGE_ERRORS] as const;

const returnPage = {
  path: '/pay/return/{payment_id}',
  raw: returnCustomer,
  page: paymentPage,
  errors,
  responses: {
    200: {
      description:
        'How the payment stands, where the merchant gave no `return_url`. A failed payment can be tried again there.',
      content: HTML,
    },
    303: {
      description:
        'Redirects the customer to `return_url`, which stays as it is, with `payment_id` and `status` added at the ' +
        'end of its query, or to the payment link that they came from.',
      headers: ['Location'],
    },
  },
} as const satisfies Partial<RawRoute>;

const ANY_PAGE: RawResponses = {
  '2XX': { description: 'A page.' },
  '3XX': { description: 'Redirects to another page.', headers: ['Location'] },
};

/** The pages that customers of a shop, and people who sign in, open in a browser. */
export const hostedPageRoutes = [
  {
    method: 'GET',
    path: '/pay/{id}',
    summary: 'The page of a payment link',
    operationId: 'showPaymentLinkPage',
    raw: showLinkPage,
    page: paymentPage,
    errors,
    responses: {
      200: {
        description: 'The payment form, the status of a started payment, or why the link takes no payment.',
        content: HTML,
      },
      303: {
        description: 'Redirects to the page, if the URL was copied with a character too many, or in capitals.',
        headers: ['Location'],
      },
    },
  },
  {
    method: 'POST',
    path: '/pay/{id}',
    summary: "Submit the form of a payment link's page",
    operationId: 'submitPaymentLinkPage',
    raw: submitLinkForm,
    page: { rate: 'writes', renderError: renderErrorResponse },
    errors,
    responses: {
      303: { description: 'Redirects to the page of the payment.', headers: ['Location'] },
      400: { description: 'The form again, with its errors.', content: HTML },
      403: { description: 'The form again: the request did not come from it.', content: HTML },
      409: { description: 'Why the link takes no payment now.', content: HTML },
    },
  },
  {
    method: 'GET',
    ...returnPage,
    summary: 'The return page, where a provider redirects the customer',
    operationId: 'showReturnPage',
  },
  {
    method: 'POST',
    ...returnPage,
    summary: 'The return page, where a provider posts the customer',
    operationId: 'submitReturnPage',
  },
  {
    method: 'GET',
    path: '/pay/{path+}',
    summary: 'Lead a browser from a URL that was typed or copied inexactly to its page',
    raw: redirectToPage,
    page: paymentPage,
    errors,
    responses: { 303: { description: 'Redirects to the page.', headers: ['Location'] } },
  },
  {
    method: 'GET',
    path: '/sign-in',
    summary: 'The sign-in page',
    operationId: 'showSignInPage',
    raw: showSignIn,
    page: { rate: 'reads', renderError: renderSignInError },
    responses: ANY_PAGE,
  },
  {
    method: 'GET',
    path: '/account-link',
    summary: 'The page of a mailed link that changes an account',
    operationId: 'showAccountLinkPage',
    raw: showAccountLink,
    page: { rate: 'reads', renderError: renderSignInError },
    responses: { 200: { description: 'What the link does, with a button that does it.', content: HTML } },
  },
] as const satisfies readonly RawRoute[];
