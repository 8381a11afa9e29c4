import type { RawRequest } from '#shared/ports/raw-request.port.ts';

/** The fields of a form, as a browser or a provider's page sent it. */
export const sentFields = ({ rawBody, decompressed = rawBody }: RawRequest): URLSearchParams =>
  new URLSearchParams(decompressed.toString('utf8'));
