export type Matched<T> = { readonly line: T; readonly params: Readonly<Record<string, string>> | undefined };

type Line = { readonly method: string; readonly path: string };

/**
 * Matches a request's route as an HTTP API does: a fixed segment wins over a `{param}`, that over a `{rest+}`, and a
 * trailing slash makes another path.
 */
export function routeMatcher<T extends Line>(
  lines: readonly T[],
): (method: string, path: string) => Matched<T> | undefined {
  const compiled = lines
    .map((line) => ({ line, segments: line.path.split('/') }))
    .sort((a, b) => sortKey(a.segments).localeCompare(sortKey(b.segments)));
  return (method, path) => {
    const given = path.split('/');
    const found = compiled.find(({ line, segments }) => line.method === method && fits(segments, given));
    return found && { line: found.line, params: paramsOf(found.segments, given) };
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

function fits(segments: readonly string[], given: readonly string[]): boolean {
  const ends = isRest(segments.at(-1) ?? '') ? given.length >= segments.length : given.length === segments.length;
  return ends && segments.every((segment, n) => (isParam(segment) ? given[n] !== '' : segment === given[n]));
}

function paramsOf(segments: readonly string[], given: readonly string[]): Readonly<Record<string, string>> | undefined {
  const pairs = segments.flatMap((segment, n) => {
    if (!isParam(segment)) return [];
    return isRest(segment)
      ? [[segment.slice(1, -2), decoded(given.slice(n).join('/'))]]
      : [[segment.slice(1, -1), decoded(given[n] ?? '')]];
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
