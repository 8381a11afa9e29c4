/** The element that a page has for certain: the build writes both. */
export function need<E extends Element>(selector: string, kind: new () => E): E {
  const found = document.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${selector}.`);
}

export const all = (selector: string, within: ParentNode = document): readonly HTMLElement[] => [
  ...within.querySelectorAll<HTMLElement>(selector),
];

/** What the host wrote into the head of the page. */
export const hostValue = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="payfork-${name}"]`)?.content ?? '';
