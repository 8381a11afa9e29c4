type Link = { readonly href: string; readonly text: string };
type MadeKey = { readonly key: string; readonly name: string } | { readonly problem: string; readonly link?: Link };

/** Undefined for what is no secret key of the sandbox: a live key must not stand in examples. */
export const sandboxKeyOf = (text: string): string | undefined => (/^sk_sandbox_\w+$/.test(text) ? text : undefined);

/** What the examples do. A key for examples cannot make or revoke keys. */
const SCOPES = ['connections', 'payments', 'fraud', 'webhooks', 'subscriptions', 'invoices', 'workflows'].flatMap(
  (subject) => [`${subject}:read`, `${subject}:write`],
);
const NAME = 'Examples of the documentation';

/** The organization that the person looks at in the dashboard, which has the same origin. */
const ORGANIZATION = 'payfork.organization';

type Organization = { readonly id: string; readonly scopes: readonly string[] };

/** Makes a key with the session of the browser, if somebody is signed in. */
export async function makeKey(): Promise<MadeKey> {
  const session = await call('GET', '/v1/auth/session').catch(() => undefined);
  if (!session) return { problem: 'The API could not be reached. Try again.' };
  if (session.status === 401) return notSignedIn();
  const organizations: readonly Organization[] = session.body.organizations ?? [];
  const chosen = localStorage.getItem(ORGANIZATION);
  const organization = organizations.find(({ id }) => id === chosen) ?? organizations[0];
  if (session.body.stage !== 'sandbox') return { problem: 'Keys for examples are made in the sandbox only.' };
  if (!organization) return { problem: 'You are not a member of an organization yet.' };
  return keyOf(organization);
}

async function keyOf({ id, scopes }: Organization): Promise<MadeKey> {
  const body = { name: NAME, kind: 'secret', scopes: SCOPES.filter((scope) => scopes.includes(scope)) };
  const made = await call('POST', '/v1/api-keys', id, body).catch(() => undefined);
  if (!made) return { problem: 'The API could not be reached. Look in the dashboard whether the key was made.' };
  const key = sandboxKeyOf(String(made.body.key));
  return key ? { key, name: NAME } : problemOf(made.body);
}

const notSignedIn = (): MadeKey => ({
  problem: 'You are not signed in.',
  link: { href: `/sign-in?next=${encodeURIComponent(location.pathname + location.hash)}`, text: 'Sign in' },
});

/** A key needs a proof of the last ten minutes: the dashboard asks for it. */
const problemOf = ({ code, message }: ApiResponse['body']): MadeKey =>
  code === 'fresh_proof_required' || code === 'missing_scope' || code === 'missing_role'
    ? { problem: String(message), link: { href: '/dashboard/developers', text: 'Make a key in the dashboard' } }
    : { problem: String(message) };

type ApiResponse = {
  readonly status: number;
  readonly body: {
    readonly code?: string;
    readonly message?: string;
    readonly key?: string;
    readonly stage?: string;
    readonly organizations?: readonly Organization[];
  };
};

async function call(method: 'GET' | 'POST', path: string, orgId?: string, body?: object): Promise<ApiResponse> {
  const response = await fetch(path, {
    method,
    headers: {
      ...(orgId !== undefined && { 'x-org-id': orgId }),
      ...(body && { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
