import type { Route } from '#lib/simulators/frame/provider.port.ts';

type Found = { readonly route: Route; readonly params: Readonly<Record<string, string>> };

/** Finds a request's route. Fixed paths win over those with `{parts}`, in any order of the table. */
export function routeFinder(routes: readonly Route[]): (method: string, path: string) => Found | undefined {
  const fixed = new Map(
    routes.filter(({ path }) => !path.includes('{')).map((route) => [`${route.method} ${route.path}`, route]),
  );
  const open = routes
    .filter(({ path }) => path.includes('{'))
    .map((route) => ({ route, pattern: new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) }));
  return (method, path) => {
    const route = fixed.get(`${method} ${path}`);
    if (route) return { route, params: {} };
    for (const { route, pattern } of open) {
      const match = route.method === method ? pattern.exec(path) : null;
      if (match) return { route, params: { ...match.groups } };
    }
    return undefined;
  };
}
