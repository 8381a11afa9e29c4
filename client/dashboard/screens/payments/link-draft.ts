import type { CreatePaymentLink } from '#client/typescript/src/generated/schemas.ts';

/** A payment link as it stands in its form. */
export type LinkDraft = {
  readonly amount: number | undefined;
  readonly currency: string;
  readonly description: string;
  readonly maxPayments: string;
  /** In days; empty for never. */
  readonly expiresIn: string;
  readonly isCapturedLater: boolean;
};

const DAY_MS = 86_400_000;

export const newDraft = (currency: string | undefined): LinkDraft => ({
  amount: undefined,
  currency: /^[a-z]{3}$/i.test(currency ?? '') ? String(currency).toUpperCase() : 'EUR',
  description: '',
  maxPayments: '1',
  expiresIn: '',
  isCapturedLater: false,
});

/** Undefined while the form is not complete. `expires_at` is the end of that many days from now. */
export function linkInput(draft: LinkDraft, now: Date): CreatePaymentLink | undefined {
  const { amount, currency, description, maxPayments, expiresIn, isCapturedLater } = draft;
  if (!amount || !/^[1-9]\d{0,5}$/.test(maxPayments)) return undefined;
  return {
    amount,
    currency,
    max_payments: Number(maxPayments),
    ...(description.trim() !== '' && { description: description.trim() }),
    ...(expiresIn !== '' && { expires_at: new Date(now.getTime() + Number(expiresIn) * DAY_MS).toISOString() }),
    ...(isCapturedLater && { capture: 'manual' as const }),
  };
}
