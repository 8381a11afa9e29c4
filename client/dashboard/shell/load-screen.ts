import { problemOf } from '#client/dashboard/api/api-problem.ts';
import { baseApi } from '#client/dashboard/api/base-api.ts';

/** Which build this tab has reloaded itself for, so that it does so once for each and not for ever. */
const RELOADED = 'payfork.reloaded';

/** The page names its script by a hash of all that the build holds. */
const ownBuild = (): string => document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '';

/**
 * Loads a file of the build. After a deployment the service has files of another build, under other names: the page is
 * loaded again then, once, and names the new ones. If that does not help, the error is shown.
 */
export async function loadScreen<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (sessionStorage.getItem(RELOADED) === ownBuild() || !(await isReachable())) throw error;
    sessionStorage.setItem(RELOADED, ownBuild());
    location.reload();
    return new Promise<T>(() => {});
  }
}

/** Somebody wants another try: the page may be loaded again for it, also if it was before. */
export const allowReload = (): void => sessionStorage.removeItem(RELOADED);

/** Without a service, loading the page again would leave an error of the browser in its place. */
const isReachable = (): Promise<boolean> =>
  baseApi.auth.getSession({}, { maxRetries: 0 }).then(
    () => true,
    (error: unknown) => problemOf(error).status !== 0,
  );

/** In the first seconds of a deployment the page may be of the new build, and its styles be asked of the old one. */
export const pageStyles = (): Promise<void> =>
  loadScreen(async () => {
    const { sheet } = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]') ?? {};
    if (!sheet || sheet.cssRules.length === 0) throw new Error('The styles of the page could not be loaded.');
  });

let styles: Promise<void> | undefined;

/** Loads the styles of all screens but the first one, once. The page names their file. */
export function loadScreenStyles(): Promise<void> {
  styles ??= new Promise<void>((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = document.querySelector<HTMLMetaElement>('meta[name="payfork-screen-styles"]')?.content ?? '';
    link.onload = () => resolve();
    link.onerror = () => {
      styles = undefined;
      link.remove();
      reject(new Error('The styles of this screen could not be loaded.'));
    };
    document.head.append(link);
  });
  return styles;
}
