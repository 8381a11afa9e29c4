import { type AnyRoute, isRaw, routeKey } from '#shared/http/route.ts';

/** What an operation's name may begin with: a verb of the field. A new verb is added here, after a look at these. */
const VERBS = [
  ...['get', 'list', 'find', 'show', 'create', 'save', 'set', 'update', 'delete', 'add', 'remove', 'send', 'receive'],
  ...['accept', 'approve', 'begin', 'cancel', 'capture', 'complete', 'confirm', 'deactivate', 'disable', 'enable'],
  ...['end', 'erase', 'finish', 'pause', 'prove', 'refund', 'reject', 'reorder', 'replay', 'request', 'resume'],
  ...['retry', 'revoke', 'rotate', 'setUp', 'simulate', 'start', 'submit', 'test', 'undo', 'validate', 'verify'],
] as const;

const READABLE = new RegExp(`^(?:${VERBS.join('|')})(?:[A-Z][a-z0-9]*)+$`);

/**
 * The name of each operation, which a generated client has as a method: a verb and a noun that say enough without the
 * group, such as `setConnectionStatus`. It is the use case's, unless the route line has an `operationId`. A deprecated
 * spelling of a path has no method of its own, but documents demand a name.
 */
export function operationIds(routes: readonly AnyRoute[]): (route: AnyRoute) => string {
  const named = routes.map((route) => [route, operationId(route)] as const);
  for (const [id, same] of Map.groupBy(named, ([, name]) => name)) {
    const lines = same.map(([route]) => routeKey(route)).join(' and ');
    if (same.length > 1) throw new Error(`${lines} are both called ${id}: give one an operationId.`);
    if (!READABLE.test(id)) throw new Error(`${lines} is called ${id}: give it an operationId of a verb and a noun.`);
  }
  const ids = new Map(named);
  return (route) => ids.get(route) ?? '';
}

function operationId(route: AnyRoute): string {
  if (isRaw(route)) return route.operationId ?? route.raw.name;
  const name = route.operationId ?? route.run.name;
  return route.deprecated ? `${name}Deprecated` : name;
}
