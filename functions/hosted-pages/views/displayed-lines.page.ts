import type { DisplayName } from '#functions/hosted-pages/locales/locale.model.ts';
import { momentInWords, nameInWords } from '#functions/hosted-pages/views/format.page.ts';
import type { Say } from '#functions/hosted-pages/views/i18n.page.ts';
import { openable } from '#functions/hosted-pages/views/web-address.page.ts';
import type { NextAction } from '#shared/domain/payments/payment.model.ts';

export type DisplayedLine = { readonly label: string; readonly text: string; readonly href?: string };

/** Labels for the providers' field names; `null` hides a field that is not for customers or is shown elsewhere. */
const NAMES: Readonly<Record<string, DisplayName | null>> = {
  account_number: 'account_number',
  transfer_account: 'account_number',
  account_name: 'account_name',
  beneficiary: 'account_name',
  bank_name: 'bank_name',
  transfer_bank: 'bank_name',
  bank_code: 'bank_code',
  routing_number: 'bank_code',
  sort_code: 'bank_code',
  branch_code: 'branch_code',
  reference: 'reference',
  transfer_reference: 'reference',
  entity: 'entity',
  number: 'number',
  ussd_code: 'ussd_code',
  code: 'code',
  data: 'code',
  qr_code: 'code',
  qr_code_data: 'code',
  transfer_note: 'note',
  note: 'note',
  expires_at: 'expires_at',
  expires_after: 'expires_at',
  account_expires_at: 'expires_at',
  account_expiration: 'expires_at',
  hosted_instructions_url: 'instructions',
  instructions_url: 'instructions',
  hosted_voucher_url: 'voucher',
  download_url: 'voucher',
  pdf: 'voucher',
  qr_image: 'qr_image',
  image_url_png: 'qr_image',
  image_url_svg: null,
  image_data_url: null,
  url: 'app',
  mobile_auth_url: 'app',
  type: null,
  kind: null,
  amount: null,
  amount_remaining: null,
  transfer_amount: null,
  currency: null,
  payment_method_type: null,
  payment_method: null,
  merchant_name: null,
  merchant_reference: null,
  shopper_email: null,
  shopper_name: null,
  shopper_reference: null,
};

/** The payment details as labelled lines; a URL that is safe to open becomes a link. */
export function displayedLines(action: Extract<NextAction, { type: 'display' }>, say: Say): readonly DisplayedLine[] {
  return Object.entries(action).flatMap(([given, value]): DisplayedLine[] => {
    const spelt = given.replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1_$2').toLowerCase();
    const name = Object.hasOwn(NAMES, spelt) ? NAMES[spelt] : undefined;
    if (value === null || value === '' || name === null) return [];
    const label = name === undefined ? labelFor(spelt) : say.words.displayed[name];
    const href = openable(String(value));
    return [
      {
        label,
        text: name === 'expires_at' ? momentInWords(isoOf(value), say.language) : String(value),
        ...(href !== undefined && { href }),
      },
    ];
  });
}

/** Banks' own abbreviations are written in capitals. */
const labelFor = (name: string): string =>
  /^(iban|bic|ifsc|swift|vpa|clabe)$/.test(name) ? name.toUpperCase() : nameInWords(name);

/** Some providers count the seconds since 1970. */
const isoOf = (value: string | number): string =>
  /^\d{9,11}$/.test(String(value)) ? new Date(Number(value) * 1_000).toISOString() : String(value);
