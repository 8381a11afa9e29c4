import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PAYMENT_WORDS } from '#client/dashboard/i18n/payment-words.catalog.ts';
import { wordsOf } from '#client/dashboard/ui/badge.tsx';

/** A payment's status, and why it failed, in the reader's language. A code that is newer than this page is English. */
export function usePaymentWords() {
  const { statuses, failures, ...words } = useMessages(PAYMENT_WORDS);
  return {
    ...words,
    statusWords: (status: string): string => statuses[status] ?? wordsOf(status),
    failureWords: (code: string): string => failures[code] ?? wordsOf(code),
  };
}
