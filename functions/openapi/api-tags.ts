import type { TAG_NOTES } from '#functions/openapi/api-notes.ts';
import type { FunctionGroup } from '#functions/route-table.ts';
import type { DocumentName } from '#shared/domain/reference/api-documents.rules.ts';
import { type AnyRoute, isRaw, routeKey } from '#shared/http/route.ts';

type Tag = { [Name in DocumentName]: keyof (typeof TAG_NOTES)[Name] }[DocumentName];

/** Functions whose routes have a tag with another name than theirs. */
const TAG_OF_FUNCTION = {
  'payment-actions': 'payments',
  'payment-stats': 'reports',
  'payment-timeline': 'reports',
  attention: 'reports',
  'subscription-stats': 'reports',
  reference: 'openapi',
  mcp: 'openapi',
} as const satisfies Partial<Record<FunctionGroup, Tag>>;

/** Single routes with another tag than the others of their function. */
const TAG_OF_ROUTE: ReadonlyMap<string, Tag> = new Map([
  ['GET /sign-in', 'dashboard'],
  ['GET /account-link', 'dashboard'],
  ['GET /v1/failed-requests', 'logs'],
  ['GET /v1/organization/audit', 'logs'],
  ['GET /v1/connections/{id}/audit', 'logs'],
  ['GET /v1/webhooks/config/audit', 'logs'],
  ['PATCH /v1/organization', 'team'],
  ['PATCH /v1/organization/settings', 'team'],
  ['GET /v1/members', 'team'],
  ['POST /v1/members', 'team'],
  ['DELETE /v1/members/{id}', 'team'],
]);

/** What an operation is about. It decides its document, its page of the reference and its group of the client. */
export function tagOf(group: FunctionGroup, route: AnyRoute): Tag {
  if (!isRaw(route) && route.deprecated) return 'deprecated';
  const ofFunction = group in TAG_OF_FUNCTION ? TAG_OF_FUNCTION[group as keyof typeof TAG_OF_FUNCTION] : undefined;
  return (
    TAG_OF_ROUTE.get(routeKey(route)) ?? ofFunction ?? (group as Exclude<FunctionGroup, keyof typeof TAG_OF_FUNCTION>)
  );
}
