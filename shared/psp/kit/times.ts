/** A PSP's time in any ISO form. Undefined if it is not understood. */
export function isoTime(text: string | null | undefined): string | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** A PSP's time in seconds. Undefined for one that no PSP means, such as 0 for none. */
export const isoFromSeconds = (seconds: unknown): string | undefined =>
  typeof seconds === 'number' && Number.isSafeInteger(seconds) && seconds > 0 && seconds < 1e11
    ? new Date(seconds * 1_000).toISOString()
    : undefined;
