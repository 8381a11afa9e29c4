/** Relative, so that a visitor stays at the host name that they signed in at, and the cookie is sent along. */
const OWN_DASHBOARD = '/dashboard';

/** Below these are the dashboard, and the documentation that a reader signed in from. */
const OWN_PAGES = [OWN_DASHBOARD, '/docs'] as const;
/** A path of this origin, in visible characters: no address of another site can begin like this. */
const OWN_SCREEN = /^\/(?:dashboard|docs)(?:[/?][\x21-\x5b\x5d-\x7e]*)?$/;
const MAX_LENGTH = 2_000;

/**
 * Where a visitor goes after signing in: back to the page that sent them here, or to the dashboard of the settings, or
 * to our own. Anything else in the address is ignored, so that nobody can be led to another site.
 */
export function nextPage(wanted: string | undefined, dashboardUrl: string | undefined): string {
  const isScreen = wanted !== undefined && wanted.length <= MAX_LENGTH && OWN_SCREEN.test(wanted) && staysThere(wanted);
  return isScreen ? wanted : (dashboardUrl ?? OWN_DASHBOARD);
}

/** Browsers resolve dots: `/dashboard/../v1/auth/verify` is no screen, and could use up a link of somebody else's. */
const staysThere = (wanted: string): boolean => {
  const { pathname } = new URL(wanted, 'https://own.example');
  return OWN_PAGES.some((page) => pathname === page || pathname.startsWith(`${page}/`));
};
