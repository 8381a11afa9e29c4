/**
 * Texts of the documentation's pages that stand for what only the host knows: its own address, its stage, and the address
 * of its control server, which is empty on AWS. The host writes them in before it serves a page.
 */
export const PAGE_PLACES = {
  api: 'https://payfork-api.invalid',
  stage: 'payfork-stage-of-this-host',
  control: 'payfork-control-of-this-host',
} as const;

/** Each text with what this host writes in its place. */
export const pageReplacements = (
  host: Readonly<Record<keyof typeof PAGE_PLACES, string>>,
): Readonly<Record<string, string>> => ({
  [PAGE_PLACES.api]: host.api,
  [PAGE_PLACES.stage]: host.stage,
  [PAGE_PLACES.control]: host.control,
});
