/** Another kind of address would run as a program, or open who knows what. */
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

/** The app that a customer in India pays with takes its order by an address of its own; no program can stand in it. */
const UPI = /^upi:\/\/(?:pay|mandate)\?[\x21-\x7e]+$/;

/** What may be opened from here, where a provider shows an address among other things. */
export const openable = (text: string): string | undefined => parsed(text)?.href ?? (UPI.test(text) ? text : undefined);
