import type { DocumentName } from '#shared/domain/reference/api-documents.rules.ts';

const DOCUMENTS = {
  openapi: async () => (await import('#openapi.json', { with: { type: 'json' } })).default,
  'openapi-dashboard': async () => (await import('#openapi-dashboard.json', { with: { type: 'json' } })).default,
} as const satisfies Record<DocumentName, unknown>;

/** A committed document, read lazily to keep it out of cold starts. */
export const readDocument = (name: DocumentName) => DOCUMENTS[name]();
