import type { ComponentChildren } from 'preact';
import { type ApiProblem, isForbidden } from '#client/dashboard/api/api-problem.ts';
import { retryFailed } from '#client/dashboard/api/query-cache.ts';
import type { Query } from '#client/dashboard/api/use-query.ts';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Icon, type IconName } from '#client/dashboard/ui/icon.tsx';

type StateProps = {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly action?: ComponentChildren;
};

/** Nothing is here: says why, and what to do next. */
export function Empty({ icon, title, children, action }: StateProps) {
  return (
    <div class="state">
      {icon && <Icon name={icon} size={24} />}
      <p class="state-title">{title}</p>
      {children !== undefined && <div class="state-text">{children}</div>}
      {action !== undefined && <div class="state-action">{action}</div>}
    </div>
  );
}

/** Grey lines in the place of what comes. Screen readers hear that it is loading. */
export function Loading({ rows = 3 }: { readonly rows?: number }) {
  const { loading } = useMessages(FRAME);
  return (
    <div class="skeleton" role="status">
      <span class="visually-hidden">{loading}</span>
      {Array.from({ length: rows }, (_, n) => (
        <span key={n} class="skeleton-line" />
      ))}
    </div>
  );
}

/** A screen of which only the address is known: grey lines for its title and for what it holds. */
export const LoadingPage = () => (
  <div class="page">
    <div class="page-header">
      <span class="skeleton-line skeleton-title" />
    </div>
    <Loading rows={6} />
  </div>
);

/** There is no such thing, or not any more: trying again does not help. */
export const isNotFound = ({ status }: ApiProblem): boolean => status === 404;

type FailedProps = { readonly problem: ApiProblem; readonly retry?: () => void };

export const Failed = (props: FailedProps) => (
  <div role="alert">{isNotFound(props.problem) ? <Missing {...props} /> : <NotLoaded {...props} />}</div>
);

const Missing = ({ problem: { message } }: FailedProps) => (
  <Empty icon="search" title={message}>
    {useMessages(FRAME).notFoundHint}
  </Empty>
);

function NotLoaded({ problem, retry }: FailedProps) {
  const messages = useMessages(FRAME);
  const again = retry && <Button onClick={retry}>{messages.tryAgain}</Button>;
  return (
    <Empty icon="error" title={messages.failed} action={again}>
      <p>{problem.status === 0 ? messages.offline : problem.message}</p>
      <p>{messages.failedHint}</p>
      {problem.requestId && (
        <p class="muted">
          {messages.requestId}: <code>{problem.requestId}</code>
        </p>
      )}
    </Empty>
  );
}

/** `what`: the API's own words about what is missing. */
export function NoPermission({ what }: { readonly what?: string }) {
  const { noPermission, noPermissionHint } = useMessages(FRAME);
  return (
    <Empty icon="lock" title={noPermission}>
      {what !== undefined && <p>{what}</p>}
      <p>{noPermissionHint}</p>
    </Empty>
  );
}

type LoadedProps<T> = {
  readonly query: Query<T>;
  readonly children: (data: T) => ComponentChildren;
  /** Lines of the skeleton. */
  readonly rows?: number;
  readonly loading?: ComponentChildren;
};

/**
 * Shows the data of a query, or the state that it is in. Data stays while newer data is loaded, and also when that fails:
 * somebody may be filling in a form there.
 */
export function Loaded<T>({ query: { data, problem }, children, rows, loading }: LoadedProps<T>) {
  if (problem && isForbidden(problem)) return <NoPermission what={problem.message} />;
  if (problem && (data === undefined || isNotFound(problem))) return <Failed problem={problem} retry={retryFailed} />;
  if (data === undefined) return <>{loading ?? <Loading rows={rows} />}</>;
  return (
    <>
      {problem && <Outdated problem={problem} retry={retryFailed} />}
      {children(data)}
    </>
  );
}

/** What is shown was true when it was loaded; newer data could not be. */
const Outdated = ({ problem, retry }: Required<FailedProps>) => {
  const { offline, tryAgain } = useMessages(FRAME);
  return (
    <p class="alert tone-warn section" role="status">
      {problem.status === 0 ? offline : problem.message} <Button onClick={retry}>{tryAgain}</Button>
    </p>
  );
};
