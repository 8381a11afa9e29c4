export type RouteMatch<T> = { readonly line: T; readonly params: Readonly<Record<string, string>> | undefined };

type RouteLine = { readonly method: string; readonly path: string };

/**
 * Matches a request's route as an HTTP API does: a fixed segment wins over a `{param}`, that over a `{rest+}`, and a
 * trailing slash makes another path.
 */
export function routeMatcher<T extends RouteLine>(
  lines: readonly T[],
): (method: string, path: string) => RouteMatch<T> | undefined {
  const compiled = lines
    .map((line) => ({ line, segments: line.path.split('/') }))
    .sort((a, b) => sortKey(a.segments).localeCompare(sortKey(b.segments)));
  // Without parameters a path fits itself alone, and wins.
  const fixed = new Map(
    lines.filter(({ path }) => !path.includes('{')).map((line) => [`${line.method} ${line.path}`, line]),
  );
  return (method, path) => {
    const line = fixed.get(`${method} ${path}`);
    if (line) return { line, params: undefined };
    const requested = path.split('/');
    const found = compiled.find(({ line, segments }) => line.method === method && fits(segments, requested));
    return found && { line: found.line, params: paramsOf(found.segments, requested) };
  };
}

const IN_ORDER = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];

/** The methods of each address, as `Allow` lists them. Preflights alone, which have every address, make no endpoint. */
export function methodsMatcher(lines: readonly RouteLine[]): (path: string) => readonly string[] {
  const match = routeMatcher(lines);
  return (path) => {
    const methods = IN_ORDER.filter((method) => match(method, path));
    return methods.some((method) => method !== 'OPTIONS') ? methods : [];
  };
}

const isParam = (segment: string): boolean => segment.startsWith('{');
const isRest = (segment: string): boolean => segment.endsWith('+}');

/** Sorts the more specific first, segment by segment. */
const sortKey = (segments: readonly string[]): string => segments.map(rank).join('');

function rank(segment: string): string {
  if (isRest(segment)) return '2';
  return isParam(segment) ? '1' : '0';
}

function fits(segments: readonly string[], requested: readonly string[]): boolean {
  const ends = isRest(segments.at(-1) ?? '')
    ? requested.length >= segments.length
    : requested.length === segments.length;
  return ends && segments.every((segment, n) => (isParam(segment) ? requested[n] !== '' : segment === requested[n]));
}

function paramsOf(
  segments: readonly string[],
  requested: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const pairs = segments.flatMap((segment, n) => {
    if (!isParam(segment)) return [];
    return isRest(segment)
      ? [[segment.slice(1, -2), decoded(requested.slice(n).join('/'))]]
      : [[segment.slice(1, -1), decoded(requested[n] ?? '')]];
  });
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}

/** Decodes percent-encoding; invalid encoding stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
