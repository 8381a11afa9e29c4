import type { FunctionComponent } from 'preact';

/** Its file is loaded when it is opened, or before by `preload`. */
export type LazyScreen = FunctionComponent & { readonly preload: () => void };

export type Screen = {
  /** Below /dashboard, such as `/payments/:id`. */
  readonly path: string;
  readonly screen: LazyScreen;
};
