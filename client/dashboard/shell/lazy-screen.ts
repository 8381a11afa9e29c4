import { type FunctionComponent, h } from 'preact';
import { lazy } from 'preact-iso';
import { problemOf } from '#client/dashboard/api/api-problem.ts';
import { loadCatalogs } from '#client/dashboard/i18n/catalog.ts';
import { activeLanguage } from '#client/dashboard/i18n/i18n.tsx';
import { loadScreen, loadScreenStyles } from '#client/dashboard/shell/load-screen.ts';
import type { LazyScreen } from '#client/dashboard/shell/screen.ts';
import { Failed } from '#client/dashboard/ui/states.tsx';

/**
 * A screen in a file of its own, loaded when it is opened, together with its texts and styles. `isFirst`: the styles of
 * Today are there from the start.
 */
export const lazyScreen = (load: () => Promise<FunctionComponent>, isFirst = false): LazyScreen =>
  lazy(async () => {
    try {
      const [screen] = await Promise.all([loadScreen(load), isFirst || loadScreen(loadScreenStyles)]);
      await loadCatalogs(activeLanguage());
      return screen;
    } catch (error) {
      return () => h(Failed, { problem: problemOf(error), retry: () => location.reload() });
    }
  });
