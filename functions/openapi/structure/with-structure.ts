import { withCodes } from '#functions/openapi/structure/codes.ts';
import { withDiscriminators } from '#functions/openapi/structure/discriminators.ts';
import { withEvents } from '#functions/openapi/structure/events.ts';
import { withExtensions } from '#functions/openapi/structure/extensions.ts';
import { withRules } from '#functions/openapi/structure/rules.ts';
import { withSharedParameters } from '#functions/openapi/structure/share-parameters.ts';
import { withSharedSchemas } from '#functions/openapi/structure/share-schemas.ts';
import { withVariants } from '#functions/openapi/structure/variants.ts';
import type { OpenApiDocument } from '#shared/http/openapi/document.ts';

/**
 * What a document for generators needs beyond the shapes, which validate and are kept small: a schema for each event,
 * unions whose cases have names, and what stands in many places written once. `methods`: the payment methods that
 * providers offer.
 */
export function withStructure(document: OpenApiDocument, methods: readonly string[]): OpenApiDocument {
  const unions = withDiscriminators(withVariants(withEvents(withRules(document))));
  return withSharedParameters(withCodes(withSharedSchemas(withExtensions(unions)), methods));
}
