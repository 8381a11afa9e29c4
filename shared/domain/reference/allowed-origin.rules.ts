/**
 * Whether a page of this origin may act with a session. An allowed one may stand for all its ports:
 * `http://localhost:*`.
 */
export function isAllowedOrigin(origin: string | undefined, allowed: readonly string[]): origin is string {
  if (origin === undefined) return false;
  return allowed.some((each) => each === origin || (each.endsWith(':*') && withoutPort(origin) === each.slice(0, -2)));
}

const withoutPort = (origin: string): string => origin.replace(/:\d{1,5}$/, '');
