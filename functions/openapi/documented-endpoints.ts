import { readDocument } from '#functions/openapi/read-document.ts';
import { joinDocuments } from '#shared/domain/reference/api-documents.rules.ts';
import { PUBLIC } from '#shared/http/openapi/components.ts';
import { methodsMatcher, routeMatcher } from '#shared/http/route-match.ts';

export type Endpoint = {
  readonly method: string;
  readonly path: string;
  readonly isPublic: boolean;
  /** Pages, callbacks and this document are not called by scripts. */
  readonly forDashboards: boolean;
};
type Paths = Readonly<Record<string, Readonly<Record<string, { readonly security: readonly object[] }>>>>;

type Lookup = {
  readonly endpoints: (path: string) => readonly Endpoint[];
  readonly methods: (path: string) => readonly string[];
};

/** Read lazily, once: the documents are enough, and this function need not import the route table. */
let lookup: Promise<Lookup> | undefined;

function lookUp(): Promise<Lookup> {
  lookup ??= makeLookup();
  return lookup;
}

async function makeLookup(): Promise<Lookup> {
  const whole = joinDocuments(await readDocument('openapi'), await readDocument('openapi-dashboard'));
  const endpoints = endpointsIn(whole.paths as Paths);
  return { endpoints: endpointLookup(endpoints), methods: methodsMatcher(withOthers(endpoints)) };
}

/** Every endpoint at this path, one for each method. */
export const endpointsAt = async (path: string): Promise<readonly Endpoint[]> => (await lookUp()).endpoints(path);

/** Every method of this path, as `Allow` says it. */
export const methodsAt = async (path: string): Promise<readonly string[]> => (await lookUp()).methods(path);

/** Where only browsers go: these are not in the document. A test compares them with the route table. */
const FOR_BROWSERS = ['/pay/{path+}', '/dashboard/{path+}', '/docs/{path+}'];

/** With `HEAD` wherever there is `GET`, and preflights. */
function withOthers(endpoints: readonly Endpoint[]): readonly { readonly method: string; readonly path: string }[] {
  const reads = endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path);
  return [
    ...endpoints,
    ...FOR_BROWSERS.map((path) => ({ method: 'GET', path })),
    ...[...reads, ...FOR_BROWSERS].map((path) => ({ method: 'HEAD', path })),
    { method: 'OPTIONS', path: '/{proxy+}' },
  ];
}

const endpointsIn = (paths: Paths): readonly Endpoint[] =>
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
