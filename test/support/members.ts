import type { ApiResponse, Body, TestHost } from '#test/support/host.ts';
import { type SignedInUser, signedInUser, signIn, verify } from '#test/support/people.ts';

let count = 0;
export const newEmail = (name = 'someone'): string => `${name}-${++count}@example.com`;

/** A signed-in user who sends requests for one organization. */
export type OrganizationUser = SignedInUser & {
  readonly org: string;
  readonly request: (method: string, path: string, body?: unknown, how?: object) => Promise<ApiResponse>;
};

export const inOrganization = (person: SignedInUser, org: string): OrganizationUser => ({
  ...person,
  org,
  request: (method, path, body, how) => person.call(method, path, body, { org, ...how }),
});

/** A new user, who owns a new organization. */
export async function anOwner(host: TestHost, email = newEmail('owner')): Promise<OrganizationUser> {
  const person = await signIn(host, email);
  return inOrganization(person, String(person.organizations[0]?.id));
}

/** A user who was invited into the owner's organization and has accepted. */
export async function aMember(
  host: TestHost,
  owner: OrganizationUser,
  role: string,
  email = newEmail(role),
): Promise<OrganizationUser> {
  const added = await owner.request('POST', '/v1/members', { email, role });
  if (added.status !== 201) throw new Error(`Not added: ${added.text}`);
  return inOrganization(await acceptInvitation(host, email), owner.org);
}

/** Signs in with the link of the newest invitation, which accepts it. */
export async function acceptInvitation(host: TestHost, email: string): Promise<SignedInUser> {
  const [token = ''] = tokensIn((await invitationsTo(host, email)).at(-1)?.text ?? '');
  return signedInUser(host, await verify(host, token));
}

const tokensIn = (text: string): string[] =>
  [...text.matchAll(/\/sign-in\?token=(\w+)/g)].map(([, token = '']) => token);

export const membersOf = async ({ request }: OrganizationUser): Promise<Body[]> =>
  (await request('GET', '/v1/members')).body.members;

export const invitationsTo = async (host: TestHost, email: string): Promise<Body[]> =>
  (await host.control('GET', `/mailbox?to=${encodeURIComponent(email)}`)).body.filter(({ subject }: Body) =>
    subject.startsWith('You are invited'),
  );
