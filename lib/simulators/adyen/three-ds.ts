import { page } from '#lib/simulators/frame/pages.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';

/** The older 3-D Secure: the shop's page posts these two to the bank, whose page posts MD and PaRes back. */
export const md = (pspReference: string): string => Buffer.from(`MD ${pspReference}`).toString('base64');
export const paReq = (pspReference: string): string => Buffer.from(`PaReq ${pspReference}`).toString('base64');

/** The newer one within the shop's page: Adyen's component shows the action, and makes the result of it. */
export function askedByComponent(pspReference: string, subtype: 'fingerprint' | 'challenge'): object {
  const token = Buffer.from(JSON.stringify({ threeDSServerTransID: pspReference })).toString('base64');
  const action = {
    type: 'threeDS2',
    subtype,
    paymentMethodType: 'scheme',
    paymentData: `Ab02b4c0${pspReference}`,
    authorisationToken: pspReference,
    token,
  };
  return { resultCode: subtype === 'fingerprint' ? 'IdentifyShopper' : 'ChallengeShopper', action, pspReference };
}

/** `transStatus`: Y passed, C the bank wants to ask, anything else a no. */
export function readComponent(result: string): { readonly reference: string; readonly status: string } {
  try {
    const { authorisationToken, transStatus } = JSON.parse(Buffer.from(result, 'base64').toString('utf8'));
    return { reference: String(authorisationToken), status: String(transStatus) };
  } catch {
    return { reference: '', status: '' };
  }
}

/** A page that sends the customer's browser on by a form; without scripts by its button. */
export function postBack(address: string, fields: Readonly<Record<string, string>>): WireAnswer {
  const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
  const form = `<form method="post" action="${address.replaceAll('&', '&amp;')}">${inputs.join('')}<button>Continue</button></form>`;
  const shown = page(200, 'Back to the shop', {});
  return { ...shown, body: shown.body.replace('</body>', `${form}</body>`) };
}
