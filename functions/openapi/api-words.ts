import { AB_TESTS_NOTES } from '#functions/openapi/notes/ab-tests.notes.ts';
import { API_KEYS_NOTES } from '#functions/openapi/notes/api-keys.notes.ts';
import { COMMON_NOTES, COMMON_WORDS } from '#functions/openapi/notes/common.notes.ts';
import { CONNECTIONS_NOTES } from '#functions/openapi/notes/connections.notes.ts';
import { CUSTOMERS_NOTES } from '#functions/openapi/notes/customers.notes.ts';
import { EVENTS_NOTES } from '#functions/openapi/notes/events.notes.ts';
import { ORGANIZATIONS_NOTES } from '#functions/openapi/notes/organizations.notes.ts';
import { PAYMENT_DETAILS_NOTES } from '#functions/openapi/notes/payment-details.notes.ts';
import { PAYMENT_LINKS_NOTES } from '#functions/openapi/notes/payment-links.notes.ts';
import { PAYMENT_REPORTS_NOTES } from '#functions/openapi/notes/payment-reports.notes.ts';
import { PAYMENTS_NOTES } from '#functions/openapi/notes/payments.notes.ts';
import { PLATFORM_NOTES } from '#functions/openapi/notes/platform.notes.ts';
import { POLICIES_NOTES } from '#functions/openapi/notes/policies.notes.ts';
import { ROUTING_NOTES } from '#functions/openapi/notes/routing.notes.ts';
import { SIGN_IN_NOTES } from '#functions/openapi/notes/sign-in.notes.ts';
import { SUBSCRIPTION_STATS_NOTES } from '#functions/openapi/notes/subscription-stats.notes.ts';
import { SUBSCRIPTIONS_NOTES } from '#functions/openapi/notes/subscriptions.notes.ts';
import { VARIANTS_NOTES } from '#functions/openapi/notes/variants.notes.ts';
import { WEBHOOKS_NOTES } from '#functions/openapi/notes/webhooks.notes.ts';
import { WORKFLOWS_NOTES } from '#functions/openapi/notes/workflows.notes.ts';
import { type WordBook, wordBook } from '#functions/openapi/word-book.ts';

/** All words of the document. A new file of notes adds a line. */
export const apiWords = (): WordBook =>
  wordBook(
    [
      AB_TESTS_NOTES,
      API_KEYS_NOTES,
      COMMON_NOTES,
      CONNECTIONS_NOTES,
      CUSTOMERS_NOTES,
      EVENTS_NOTES,
      ORGANIZATIONS_NOTES,
      PAYMENT_DETAILS_NOTES,
      PAYMENT_LINKS_NOTES,
      PAYMENT_REPORTS_NOTES,
      PAYMENTS_NOTES,
      PLATFORM_NOTES,
      POLICIES_NOTES,
      ROUTING_NOTES,
      SIGN_IN_NOTES,
      SUBSCRIPTION_STATS_NOTES,
      SUBSCRIPTIONS_NOTES,
      VARIANTS_NOTES,
      WEBHOOKS_NOTES,
      WORKFLOWS_NOTES,
    ],
    COMMON_WORDS,
  );
