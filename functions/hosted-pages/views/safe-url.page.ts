const WEB_PROTOCOL = /^https?:$/;

/** Other schemes could run as a script or open an app. */
function parseWebUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url && WEB_PROTOCOL.test(url.protocol) ? url : undefined;
}

/** A URL that a page may link to. Throws for any that is not http or https. */
export function safeUrl(text: string): string {
  const url = parseWebUrl(text);
  if (!url) throw new TypeError('A page links to http and https URLs only.');
  return url.href;
}

/** UPI apps in India take payments by a scheme of their own. It cannot run a script. */
const UPI = /^upi:\/\/(?:pay|mandate)\?[\x21-\x7e]+$/;

/** The URL in a provider's display data, if it is safe to open. */
export const linkableUrl = (text: string): string | undefined =>
  parseWebUrl(text)?.href ?? (UPI.test(text) ? text : undefined);
