/** 3-D Secure 1: the shop posts MD and PaReq to the bank, whose page posts MD and PaRes back. */
export const mdOf = (pspReference: string): string => Buffer.from(`MD ${pspReference}`).toString('base64');
export const paReqOf = (pspReference: string): string => Buffer.from(`PaReq ${pspReference}`).toString('base64');

/** 3-D Secure 2 within the shop's page: Adyen's component handles this action and returns its result. */
export function componentAction(pspReference: string, subtype: 'fingerprint' | 'challenge'): object {
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

/** `transStatus`: Y is authenticated, C means the bank wants a challenge, anything else failed. */
export function readComponentResult(result: string): { readonly reference: string; readonly status: string } {
  try {
    const { authorisationToken, transStatus } = JSON.parse(Buffer.from(result, 'base64').toString('utf8'));
    return { reference: String(authorisationToken), status: String(transStatus) };
  } catch {
    return { reference: '', status: '' };
  }
}
