import type { Provider } from '#shared/domain/routing/connection.model.ts';
import type { TransactionList } from '#shared/ports/psp.port.ts';
import { listTransactions as checkout } from '#shared/psp/checkout/transactions.ts';
import { listTransactions as flutterwave } from '#shared/psp/flutterwave/transactions.ts';
import { listTransactions as mollie } from '#shared/psp/mollie/transactions.ts';
import { listTransactions as paypal } from '#shared/psp/paypal/transactions.ts';
import { listTransactions as paystack } from '#shared/psp/paystack/transactions.ts';
import { listTransactions as razorpay } from '#shared/psp/razorpay/transactions.ts';
import { listTransactions as stripe } from '#shared/psp/stripe/transactions.ts';

/**
 * The PSPs that can list what they did in a time range. Beside the registry and not in the adapters: no function needs
 * them, and each would be larger by them. The gateway gives each list the credentials of its own provider.
 */
export const TRANSACTION_LISTS = {
  checkout,
  flutterwave,
  mollie,
  paypal,
  paystack,
  razorpay,
  stripe,
} as Readonly<Record<Provider, TransactionList | undefined>>;
