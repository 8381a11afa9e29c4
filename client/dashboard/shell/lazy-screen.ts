import { type FunctionComponent, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { problemOf } from '#client/dashboard/api/api-problem.ts';
import { loadCatalogs } from '#client/dashboard/i18n/catalog.ts';
import { activeLanguage } from '#client/dashboard/i18n/i18n.tsx';
import { loadScreen, loadScreenStyles } from '#client/dashboard/shell/load-screen.ts';
import type { LazyScreen } from '#client/dashboard/shell/screen.ts';
import { Failed, LoadingPage } from '#client/dashboard/ui/states.tsx';

type Load = () => Promise<FunctionComponent>;

/**
 * A screen in a file of its own, loaded when it is opened, together with its texts and styles. Grey lines stand in its
 * place until then. `isFirst`: the styles of Today are there from the start.
 */
export function lazyScreen(load: Load, isFirst = false): LazyScreen {
  let loaded: FunctionComponent | undefined;
  let loading: Promise<FunctionComponent> | undefined;
  const preload = (): Promise<FunctionComponent> => {
    loading ??= loadAll(load, isFirst).then((screen) => {
      loaded = screen;
      return screen;
    });
    return loading;
  };
  function Screen() {
    const [screen, show] = useState(() => loaded);
    useEffect(() => {
      if (!screen) void preload().then((found) => show(() => found));
    }, []);
    return h(screen ?? LoadingPage, {});
  }
  return Object.assign(Screen, { preload });
}

async function loadAll(load: Load, isFirst: boolean): Promise<FunctionComponent> {
  try {
    const [screen] = await Promise.all([loadScreen(load), isFirst || loadScreen(loadScreenStyles)]);
    await loadCatalogs(activeLanguage());
    return screen;
  } catch (error) {
    return () => h(Failed, { problem: problemOf(error), retry: () => location.reload() });
  }
}
