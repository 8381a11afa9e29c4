import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import type { Transaction } from '#shared/psp/paystack/objects.schema.ts';

const FIELDS = {
  send_pin: 'pin',
  send_otp: 'otp',
  send_phone: 'phone',
  send_birthday: 'birthday',
  send_address: 'address',
} as const;

const isField = (status: string): status is keyof typeof FIELDS => Object.hasOwn(FIELDS, status);

/** Details to pay with elsewhere. Paystack's sentences about them are left out. */
const SHOWN = ['ussd_code', 'qr_code', 'qr_image', 'account_name', 'account_number', 'account_expires_at'];

/** The customer's next action; undefined where the charge waits for none. */
export function toNextAction(step: Transaction): NextAction | undefined {
  const { status = '', url, paused, authorization_url } = step;
  if (paused === true && authorization_url) return redirect(authorization_url);
  if (isField(status)) return { type: 'collect', field: FIELDS[status] };
  if (status === 'open_url') return url ? redirect(url) : undefined;
  if (status !== 'pay_offline' && status !== 'pending_bank_transfer') return undefined;
  const shown = Object.entries({ ...step, bank_name: nameOf(step.bank), qr_image: step.qr_image ?? url }).filter(
    (entry): entry is [string, string] =>
      (SHOWN.includes(entry[0]) || entry[0] === 'bank_name') && typeof entry[1] === 'string',
  );
  return shown.length === 0 ? { type: 'await' } : { ...Object.fromEntries(shown), type: 'display', kind: status };
}

const redirect = (url: string): NextAction => ({ type: 'redirect', url, method: 'GET' });

const nameOf = (bank: unknown): unknown =>
  typeof bank === 'object' && bank !== null && 'name' in bank ? bank.name : undefined;
