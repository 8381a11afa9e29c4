import type { Answer, Body, TestHost } from '#test/support/host.ts';
import { type SignedInPerson, signIn } from '#test/support/people.ts';

let count = 0;
export const anAddress = (name = 'someone'): string => `${name}-${++count}@example.com`;

/** Somebody new, with an organization of one's own, who acts there. */
export type Founder = SignedInPerson & {
  readonly org: string;
  readonly ask: (method: string, path: string, body?: unknown, how?: object) => Promise<Answer>;
};

export const actingIn = (person: SignedInPerson, org: string): Founder => ({
  ...person,
  org,
  ask: (method, path, body, how) => person.call(method, path, body, { org, ...how }),
});

export async function aFounder(host: TestHost, email = anAddress('founder')): Promise<Founder> {
  const person = await signIn(host, email);
  return actingIn(person, String(person.organizations[0]?.id));
}

/** Somebody who was invited into the founder's organization, and has signed in. */
export async function aMember(
  host: TestHost,
  founder: Founder,
  role: string,
  email = anAddress(role),
): Promise<Founder> {
  const added = await founder.ask('POST', '/v1/members', { email, role });
  if (added.status !== 201) throw new Error(`Not added: ${added.text}`);
  return actingIn(await signIn(host, email), founder.org);
}

export const membersOf = async ({ ask }: Founder): Promise<Body[]> => (await ask('GET', '/v1/members')).body.members;

export const invitationsTo = async (host: TestHost, email: string): Promise<Body[]> =>
  (await host.control('GET', `/mailbox?to=${encodeURIComponent(email)}`)).body.filter(({ subject }: Body) =>
    subject.startsWith('You are invited'),
  );
