import { PUBLIC } from '#shared/http/openapi/components.ts';
import { routeMatcher } from '#shared/http/route-match.ts';

type Endpoint = {
  readonly method: string;
  readonly path: string;
  readonly isPublic: boolean /** Pages, callbacks and this document are not called by scripts. */;
  readonly forDashboards: boolean;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security: readonly object[] }>>>>;
};

/** Read lazily, once. The document is enough, and spares this function the imports of the route table. */
let known: Promise<(path: string) => readonly Endpoint[]> | undefined;

/** Every endpoint at this path, one a method. */
export async function endpointsAt(path: string): Promise<readonly Endpoint[]> {
  known ??= import('#openapi.json', { with: { type: 'json' } }).then(({ default: document }) =>
    finder(endpointsIn(document)),
  );
  return (await known)(path);
}

const endpointsIn = ({ paths }: Document): readonly Endpoint[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security }]) => ({
      method: method.toUpperCase(),
      path,
      isPublic: security.some((either) => PUBLIC in either),
      forDashboards: path.startsWith('/v1/'),
    })),
  );

function finder(endpoints: readonly Endpoint[]): (path: string) => readonly Endpoint[] {
  const match = routeMatcher(endpoints);
  const methods = [...new Set(endpoints.map(({ method }) => method))];
  return (path) => methods.flatMap((method) => match(method, path)?.line ?? []);
}
