/** Other schemes could run as a script or open an app. */
const WEB = /^https?:$/;

function parsed(address: string): URL | undefined {
  const url = URL.parse(address);
  return url && WEB.test(url.protocol) ? url : undefined;
}

/** An address that a page may lead to. Throws for any but a web address. */
export function webAddress(address: string): string {
  const url = parsed(address);
  if (!url) throw new TypeError('A page leads to http and https addresses only.');
  return url.href;
}

/** UPI apps in India take payments by a scheme of their own, which can't run a script. */
const UPI = /^upi:\/\/(?:pay|mandate)\?[\x21-\x7e]+$/;

/** URLs in a provider's display data that may be opened from here. */
export const openable = (text: string): string | undefined => parsed(text)?.href ?? (UPI.test(text) ? text : undefined);
