import type { Deps } from '#shared/ports/deps.ts';

/** The URL of a link's page. */
export const linkAddress = (linkId: string, { apiUrl }: Pick<Deps['config'], 'apiUrl'>): string =>
  `${apiUrl}/pay/${linkId}`;
