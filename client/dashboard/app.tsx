import { useEffect, useErrorBoundary } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { problemOf } from '#client/dashboard/api/api-problem.ts';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { I18nProvider, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { SCREENS } from '#client/dashboard/screens/screen-table.ts';
import { Frame } from '#client/dashboard/shell/frame.tsx';
import { SessionProvider, useSession } from '#client/dashboard/shell/session.tsx';
import { LinkButton } from '#client/dashboard/ui/button.tsx';
import { Page } from '#client/dashboard/ui/page.tsx';
import { Empty, Failed, LoadingPage } from '#client/dashboard/ui/states.tsx';

/** The frame without what depends on the person. `index.html` holds the same, for the time before this script runs. */
const Opening = () => (
  <div class="frame">
    <div class="sidebar" />
    <div class="frame-main">
      <div class="topbar" />
      <main class="content">
        <LoadingPage />
      </main>
    </div>
  </div>
);

export const App = () => (
  <I18nProvider>
    <SessionProvider
      loading={<Opening />}
      failed={(problem, retry) => (
        <main class="bare">
          <Failed problem={problem} retry={retry} />
        </main>
      )}
    >
      <LocationProvider scope="/dashboard">
        <Frame>
          <Screens />
        </Frame>
      </LocationProvider>
    </SessionProvider>
  </I18nProvider>
);

/** A screen that breaks leaves the frame standing: the navigation leads on. */
function Screens() {
  const { organization } = useSession();
  const [broken, reset] = useErrorBoundary((error: unknown) => console.error(error));
  const { path } = useLocation();
  useEffect(() => reset(), [path]);
  // It is a mistake of ours, and not that of a connection.
  if (broken) return <Failed problem={{ ...problemOf(broken), status: 500 }} retry={reset} />;
  if (!organization && !WITHOUT_ORGANIZATION.test(path)) return <NoOrganization />;
  return (
    // Another organization is another dashboard: nothing of the first one's screens stays.
    <Router key={organization?.id} onRouteChange={startAtTop}>
      {SCREENS.map(({ path, screen }) => (
        <Route key={path} path={`/dashboard${path === '/' ? '' : path}`} component={screen} />
      ))}
      <Route default component={NotFound} />
    </Router>
  );
}

/** These belong to the person, not to an organization. */
const WITHOUT_ORGANIZATION = /^\/dashboard\/(account|platform|lab)(\/|$)/;

/** A new screen is read from its beginning; another filter of the same screen keeps its place. */
let shownPath = location.pathname;
function startAtTop(): void {
  if (location.pathname === shownPath) return;
  shownPath = location.pathname;
  scrollTo(0, 0);
  document.getElementById('content')?.focus({ preventScroll: true });
}

function NoOrganization() {
  const { noOrganization, noOrganizationHint } = useMessages(FRAME);
  return (
    <Page title="Payfork">
      <Empty icon="team" title={noOrganization}>
        {noOrganizationHint}
      </Empty>
    </Page>
  );
}

function NotFound() {
  const messages = useMessages(FRAME);
  return (
    <Page title={messages.notFound}>
      <Empty
        icon="search"
        title={messages.notFoundHint}
        action={<LinkButton href="/dashboard">{messages.backToToday}</LinkButton>}
      />
    </Page>
  );
}
