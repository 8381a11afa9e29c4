import { type FunctionComponent, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type ApiProblem, problemOf } from '#client/dashboard/api/api-problem.ts';
import { loadCatalogs } from '#client/dashboard/i18n/catalog.ts';
import { activeLanguage } from '#client/dashboard/i18n/i18n.tsx';
import { allowReload, loadScreen, loadScreenStyles } from '#client/dashboard/shell/load-screen.ts';
import type { LazyScreen } from '#client/dashboard/shell/screen.ts';
import { Failed, LoadingPage } from '#client/dashboard/ui/states.tsx';

type Load = () => Promise<FunctionComponent>;

/**
 * A screen in a file of its own, loaded when it is opened, together with its texts and styles. Grey lines stand in its
 * place until then. A failure is not kept: the next visit, or the button, tries again. `isFirst`: the styles of Today
 * are there from the start.
 */
export function lazyScreen(load: Load, isFirst = false): LazyScreen {
  let loaded: FunctionComponent | undefined;
  let loading: Promise<FunctionComponent> | undefined;
  const loadOnce = (): Promise<FunctionComponent> => {
    loading ??= loadAll(load, isFirst).then(
      (screen) => {
        loaded = screen;
        return screen;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  function Screen() {
    const [screen, show] = useState(() => loaded);
    const [problem, fail] = useState<ApiProblem>();
    const open = (): void => {
      fail(undefined);
      loadOnce().then(
        (found) => show(() => found),
        (error: unknown) => fail(problemOf(error)),
      );
    };
    const retry = (): void => {
      allowReload();
      open();
    };
    useEffect(() => {
      if (!screen) open();
    }, []);
    return problem ? h(Failed, { problem, retry }) : h(screen ?? LoadingPage, {});
  }
  return Object.assign(Screen, { preload: () => void loadOnce().catch(() => undefined) });
}

async function loadAll(load: Load, isFirst: boolean): Promise<FunctionComponent> {
  const [screen] = await Promise.all([loadScreen(load), isFirst || loadScreen(loadScreenStyles)]);
  await loadCatalogs(activeLanguage());
  return screen;
}
