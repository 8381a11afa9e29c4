import { applySeenRefund } from '#functions/psp-webhooks/apply-seen-refund.usecase.ts';
import { couldNotAsk } from '#functions/psp-webhooks/could-not-ask.ts';
import type { VerifiedCallback } from '#functions/psp-webhooks/verified-callback.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RefundNews, SeenRefund } from '#shared/ports/psp.port.ts';

/** A refund event; the PSP is asked about the refund where it has a look-up. */
export async function applyRefundCallback(callback: VerifiedCallback, news: RefundNews, deps: Deps): Promise<void> {
  const seen = news.told ?? (await look(callback, news));
  await applySeenRefund(
    callback,
    { ...seen, reference: seen.reference ?? news.reference, ours: news.ours ?? seen.ours },
    news.paymentReference,
    'alone',
    deps,
  );
}

async function look(
  { session, payment }: VerifiedCallback,
  { reference, paymentReference }: RefundNews,
): Promise<SeenRefund> {
  const charge = paymentReference ?? payment.psp_reference;
  try {
    return await session.fetchRefund({ reference, paymentId: payment.id, charge });
  } catch (error) {
    throw couldNotAsk(error);
  }
}
