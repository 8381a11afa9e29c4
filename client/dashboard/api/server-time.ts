/** How far the service's clock is from this browser's, in milliseconds. */
let offset = 0;

/** A browser's clock may be wrong, and that of a local host may have been moved on. */
export function keepServerTime(serverTime: string): void {
  offset = Date.parse(serverTime) - Date.now();
}

/** Now, as the service counts it: what is due or overdue, and which day is today. */
export const serverNow = (): Date => new Date(Date.now() + offset);
