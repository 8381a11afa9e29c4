import type { Deps } from '#shared/ports/deps.ts';

/** Where customers pay: a page of ours. */
export const linkAddress = (linkId: string, { apiUrl }: Pick<Deps['config'], 'apiUrl'>): string => `${apiUrl}/pay/${linkId}`;
