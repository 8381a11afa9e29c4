import {
  authorizedAttempt,
  capturableRest,
  capturesOf,
  pendingCaptures,
} from '#shared/domain/payments/capture.rules.ts';
import { touched } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Capture, Payment } from '#shared/domain/payments/payment.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

type CaptureInput = {
  readonly id: string;
  readonly amount?: number;
  readonly final?: boolean;
  /** Only this worker may send it until then. */
  readonly leaseUntil: Date;
};

/** What the connection of the charge can do. */
export type CaptureAbility = { readonly partial: boolean; readonly multi: boolean };

/** Reserves a capture before money moves: all captures together never take more than was authorized. */
export function reserveCapture(payment: Payment, input: CaptureInput, can: CaptureAbility, at: Date): Payment {
  const attempt = assertCapturable(payment, at);
  const rest = capturableRest(payment, attempt);
  const amount = input.amount ?? rest;
  // What was captured at the provider beside a pending capture may leave less than nothing.
  if (amount > rest || rest <= 0) {
    const remaining = Math.max(0, rest);
    throw new AppError('capture_exceeds_authorized', `At most ${remaining} of this payment can still be captured.`, {
      details: { remaining },
    });
  }
  const final = (input.final ?? true) || amount === rest;
  assertAble(payment, { amount, final }, can);
  const capture: Capture = {
    id: input.id,
    amount,
    status: 'pending',
    failure: null,
    final,
    attempt_id: attempt.id,
    psp_reference: null,
    created_at: at.toISOString(),
    phase: 'calling',
    sent_at: at.toISOString(),
    sending_until: input.leaseUntil.toISOString(),
  };
  return { ...touched(payment, at), captures: [...capturesOf(payment), capture] };
}

function assertCapturable(payment: Payment, at: Date): Attempt {
  const attempt = authorizedAttempt(payment);
  if (!attempt) throw notCapturable(whyNotCapturable(payment));
  if (attempt.release)
    throw notCapturable('The authorization of this payment is being released. Nothing more can be captured.');
  if (pendingCaptures(payment).some(({ final }) => final))
    throw notCapturable('The final capture of this payment is pending. A further one is possible only if it fails.');
  if (payment.capturable_until && payment.capturable_until <= at.toISOString())
    throw notCapturable(
      `The authorization of this payment ended at ${payment.capturable_until}. Create a new payment.`,
    );
  return attempt;
}

function whyNotCapturable({ capture, status }: Payment): string {
  if (capture) return `A ${status} payment can't be captured: only an authorized one can.`;
  return `This payment is captured at once (capture is automatic); it is ${status}.`;
}

function assertAble(payment: Payment, { amount, final }: Pick<Capture, 'amount' | 'final'>, can: CaptureAbility): void {
  const { provider, authorized_amount } = payment;
  if (!can.multi && (!final || capturesOf(payment).some(({ status }) => status !== 'failed')))
    throw notCapturable(
      `The connection at ${provider} captures a payment once (capabilities.multi_capture is false). ` +
        'Send one capture, without final: false.',
    );
  if (!can.partial && amount !== authorized_amount)
    throw notCapturable(
      `The connection at ${provider} captures a payment only as a whole (capabilities.partial_capture is false): ` +
        `${authorized_amount}. Refund the rest afterwards.`,
    );
}

const notCapturable = (message: string): AppError => new AppError('payment_not_capturable', message);
