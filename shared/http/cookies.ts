import type { ApiEvent } from '#shared/http/request-state.ts';

/** The first of duplicates counts: browsers send that of the longer path first. */
export function cookiesOf({ cookies = [] }: Pick<ApiEvent, 'cookies'>): Readonly<Record<string, string>> {
  const pairs = cookies.map((text) => {
    const mark = text.indexOf('=');
    return [text.slice(0, mark).trim(), text.slice(mark + 1).trim()] as const;
  });
  return Object.fromEntries(pairs.toReversed());
}
