import type { StoredTransaction, Transaction } from '#lib/simulators/flutterwave/objects.ts';

const OURS = /^flw-t1nf-([0-9a-f]{32})-m03k$/;

export const looksLikeToken = (token: string): boolean => /^flw-t\d(nf)?-[\w-]+$/.test(token);

/** The number of the payment that left a token of ours. */
export const paymentBehind = (token: string): string => String(Number.parseInt(OURS.exec(token)?.[1] ?? '', 16));

/** A look at a paid transaction brings the token of its card; events do not. */
export function withToken({ body }: StoredTransaction): Transaction {
  const { id, status, card } = body;
  if (status !== 'successful' || !card) return body;
  return { ...body, card: { ...card, token: `flw-t1nf-${id.toString(16).padStart(32, '0')}-m03k` } };
}
