import { actOnLinkPage } from '#functions/hosted-pages/act-on-link-page.usecase.ts';
import { returnCustomer } from '#functions/hosted-pages/return-customer.usecase.ts';
import { showLinkPage } from '#functions/hosted-pages/show-link-page.usecase.ts';
import { troubleInWords as signInTexts } from '#functions/hosted-pages/sign-in/error-texts.page.ts';
import { showSignIn } from '#functions/hosted-pages/sign-in/show-sign-in.usecase.ts';
import { troubleInWords } from '#functions/hosted-pages/views/error-texts.page.ts';
import type { AnyRoute } from '#shared/http/route.ts';

const paymentPage = { rate: 'reads', trouble: troubleInWords } as const;
const returnPage = { path: '/pay/return/{payment_id}', raw: returnCustomer, page: paymentPage } as const;

/** The pages that customers of a shop, and people who sign in, open in a browser. */
export const hostedPageRoutes: readonly AnyRoute[] = [
  { method: 'GET', path: '/pay/{id}', summary: 'The page of a payment link', raw: showLinkPage, page: paymentPage },
  {
    method: 'POST',
    path: '/pay/{id}',
    summary: "What a customer sends from a payment link's page",
    raw: actOnLinkPage,
    page: { rate: 'writes', trouble: troubleInWords },
  },
  { method: 'GET', ...returnPage, summary: 'Where a provider sends the customer back to' },
  { method: 'POST', ...returnPage, summary: 'Where a provider posts the customer back to' },
  {
    method: 'GET',
    path: '/sign-in',
    summary: 'The page to sign in on',
    raw: showSignIn,
    page: { rate: 'reads', trouble: signInTexts },
  },
];
