import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { type ApiProblem, isSignedOut, problemOf } from '#client/dashboard/api/api-problem.ts';
import { baseApi } from '#client/dashboard/api/base-api.ts';
import { forgetQueries, retryFailed } from '#client/dashboard/api/query-cache.ts';
import { keepServerTime } from '#client/dashboard/api/server-time.ts';
import type { Payfork, SignedIn } from '#client/typescript/src/index.ts';

export type Organization = SignedIn['organizations'][number];
export type Role = Organization['role'];
export type Scope = Organization['scopes'][number];

export type Session = {
  readonly user: SignedIn['user'];
  readonly stage: SignedIn['stage'];
  readonly organizations: readonly Organization[];
  /** The one that is looked at. Undefined: the person has joined none. */
  readonly organization: Organization | undefined;
  /** The API as this person in this organization. */
  readonly api: Payfork;
  /** Whether the API lets this person do it here. What they may not do is not shown. */
  readonly can: (scope: Scope) => boolean;
  readonly isAtLeast: (role: Role) => boolean;
  readonly switchOrganization: (id: string) => void;
  readonly signOut: () => Promise<void>;
  /** A request was refused because nobody is signed in any more. */
  readonly endSession: () => void;
  readonly hasEnded: boolean;
  /** After a change of the person's own data, or of the service's clock. */
  readonly reloadSession: () => void;
};

const Context = createContext<Session | undefined>(undefined);
/** Each tab keeps its organization over a reload. A new tab begins with that of the tab that was looked at last. */
const ORGANIZATION = 'payfork.organization';
/** Who is signed in, for the other tabs: cookies are of the whole browser. */
const USER = 'payfork.user';
const ROLES: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];

/** Where someone signs in, to come back to this page. */
export const signInAddress = (): string => `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;

type SessionProviderProps = {
  readonly children: ComponentChildren;
  readonly loading: ComponentChildren;
  readonly failed: (problem: ApiProblem, retry: () => void) => ComponentChildren;
};

/** Finds out who is signed in. Whoever is not goes to the sign-in page, and comes back here. */
export function SessionProvider({ children, loading, failed }: SessionProviderProps) {
  const [found, setFound] = useState<SignedIn>();
  const [problem, setProblem] = useState<ApiProblem>();
  const load = useCallback(() => {
    setProblem(undefined);
    const onFound = (session: SignedIn): void => {
      keepServerTime(session.server_time);
      localStorage.setItem(USER, session.user.id);
      setFound(session);
    };
    baseApi.auth.getSession().then(onFound, (error: unknown) => {
      const why = problemOf(error);
      if (isSignedOut(why)) location.replace(signInAddress());
      else setProblem(why);
    });
  }, []);
  useEffect(load, [load]);
  useOnePerson(found?.user.id);
  if (problem && !found) return <>{failed(problem, load)}</>;
  if (!found) return <>{loading}</>;
  return (
    <SignedInProvider signedIn={found} reload={load}>
      {children}
    </SignedInProvider>
  );
}

/** A page that shows one person's data goes when another tab signs them out, or when the browser brings it back. */
function useOnePerson(userId: string | undefined): void {
  useEffect(() => {
    if (userId === undefined) return;
    const left = new AbortController();
    const { signal } = left;
    addEventListener('storage', ({ key, newValue }) => key === USER && newValue !== userId && startAnew(), { signal });
    addEventListener('pageshow', ({ persisted }) => persisted && startAnew(), { signal });
    return () => left.abort();
  }, [userId]);
}

function startAnew(): void {
  document.body.replaceChildren();
  location.reload();
}

/**
 * A mailed link opens in another tab: whoever signs in there again and comes back goes on here, with what they had typed.
 */
function useSignInElsewhere(hasEnded: boolean, userId: string, onBack: () => void): void {
  useEffect(() => {
    if (!hasEnded) return;
    const left = new AbortController();
    const { signal } = left;
    const look = (): void => {
      baseApi.auth.getSession({}, { signal }).then(
        ({ user }) => (user.id === userId ? onBack() : startAnew()),
        () => undefined,
      );
    };
    addEventListener('focus', look, { signal });
    return () => left.abort();
  }, [hasEnded, userId]);
}

/**
 * A link may name the organization that it is about: `?organization=`. That counts once, and not for those who are no
 * members: without it in the address, a reload keeps what the person chooses afterwards.
 */
function takeFromAddress(organizations: readonly Organization[]): string | undefined {
  const address = new URL(location.href);
  const wanted = address.searchParams.get('organization');
  if (wanted === null) return undefined;
  address.searchParams.delete('organization');
  history.replaceState(history.state, '', address);
  return organizations.find(({ id }) => id === wanted)?.id;
}

type SignedInProps = { readonly signedIn: SignedIn; readonly reload: () => void; readonly children: ComponentChildren };

function SignedInProvider({ signedIn, reload, children }: SignedInProps) {
  const { user, stage, organizations } = signedIn;
  const [chosen, choose] = useState(
    () => takeFromAddress(organizations) ?? sessionStorage.getItem(ORGANIZATION) ?? localStorage.getItem(ORGANIZATION),
  );
  const [hasEnded, setHasEnded] = useState(false);
  useSignInElsewhere(hasEnded, user.id, () => {
    setHasEnded(false);
    reload();
    retryFailed();
  });
  const organization = organizations.find(({ id }) => id === chosen) ?? organizations[0];
  const organizationId = organization?.id;
  useEffect(() => {
    if (!organizationId) return;
    const keep = (): void => {
      for (const storage of [sessionStorage, localStorage]) storage.setItem(ORGANIZATION, organizationId);
    };
    keep();
    addEventListener('focus', keep);
    return () => removeEventListener('focus', keep);
  }, [organizationId]);
  const session = useMemo<Session>(
    () => ({
      ...{ user, stage, organizations, organization, hasEnded },
      api: organization ? baseApi.inOrganization(organization.id) : baseApi,
      can: (scope) => organization?.scopes.includes(scope) ?? false,
      isAtLeast: (role) => organization !== undefined && ROLES.indexOf(organization.role) <= ROLES.indexOf(role),
      switchOrganization: (id) => {
        forgetQueries();
        choose(id);
      },
      signOut,
      endSession: () => setHasEnded(true),
      reloadSession: reload,
    }),
    [user, stage, organizations, organization, hasEnded, reload],
  );
  return <Context.Provider value={session}>{children}</Context.Provider>;
}

async function signOut(): Promise<void> {
  try {
    await baseApi.auth.endCurrentSession({});
  } catch (error) {
    if (!isSignedOut(problemOf(error))) throw error;
  }
  leave();
}

/** After signing out: neither the back button nor another tab shows anything of this person. */
export function leave(): void {
  forgetQueries();
  localStorage.removeItem(USER);
  document.body.replaceChildren();
  location.replace('/sign-in');
}

export function useSession(): Session {
  const session = useContext(Context);
  if (!session) throw new Error('useSession needs a SessionProvider around it.');
  return session;
}
