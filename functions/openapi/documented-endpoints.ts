import { PUBLIC } from '#shared/http/openapi/components.ts';
import { routeMatcher } from '#shared/http/route-match.ts';

type Endpoint = {
  readonly method: string;
  readonly path: string;
  readonly isPublic: boolean;
  /** Pages, callbacks and this document are not called by scripts. */
  readonly forDashboards: boolean;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security: readonly object[] }>>>>;
};

/** Read lazily, once: the document is enough, and this function need not import the route table. */
let lookup: Promise<(path: string) => readonly Endpoint[]> | undefined;

/** Every endpoint at this path, one for each method. */
export async function endpointsAt(path: string): Promise<readonly Endpoint[]> {
  lookup ??= import('#openapi.json', { with: { type: 'json' } }).then(({ default: document }) =>
    endpointLookup(endpointsIn(document)),
  );
  return (await lookup)(path);
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

function endpointLookup(endpoints: readonly Endpoint[]): (path: string) => readonly Endpoint[] {
  const match = routeMatcher(endpoints);
  const methods = [...new Set(endpoints.map(({ method }) => method))];
  return (path) => methods.flatMap((method) => match(method, path)?.line ?? []);
}
