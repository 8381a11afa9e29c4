import { all } from '#client/reference/find.ts';

/** The language that the reader chose last, on every page. */
const CHOICE = 'payfork.docs.language';

/** Samples in several languages become tabs, which all follow one choice. */
export function makeTabs(): void {
  for (const box of all('.samples')) {
    const samples = all('.sample', box);
    if (samples.length > 1) box.prepend(tabList(box, samples));
  }
  choose(localStorage.getItem(CHOICE) ?? '');
}

let count = 0;

function tabList(box: HTMLElement, samples: readonly HTMLElement[]): HTMLElement {
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', `${box.dataset.title}: language`);
  for (const sample of samples) list.append(tabOf(sample));
  list.addEventListener('keydown', (event) => moveAlong(list, event));
  return list;
}

function tabOf(sample: HTMLElement): HTMLButtonElement {
  const tab = document.createElement('button');
  count += 1;
  sample.id ||= `sample-${count}`;
  tab.type = 'button';
  tab.id = `${sample.id}-tab`;
  tab.textContent = sample.dataset.label ?? '';
  tab.setAttribute('role', 'tab');
  tab.setAttribute('aria-controls', sample.id);
  sample.setAttribute('role', 'tabpanel');
  sample.setAttribute('aria-labelledby', tab.id);
  tab.addEventListener('click', () => {
    localStorage.setItem(CHOICE, tab.textContent);
    keepInPlace(tab, () => choose(tab.textContent));
  });
  return tab;
}

/** All boxes of the page change their height: what the reader clicked stays where it is. */
function keepInPlace(element: HTMLElement, change: () => void): void {
  const before = element.getBoundingClientRect().top;
  change();
  scrollBy({ top: element.getBoundingClientRect().top - before, behavior: 'instant' });
}

/** Where a box does not have the language, its first one is shown. */
function choose(language: string): void {
  for (const box of all('.samples')) {
    const samples = all('.sample', box);
    const shown = samples.find((sample) => sample.dataset.label === language) ?? samples[0];
    for (const sample of samples) sample.hidden = sample !== shown;
    for (const tab of all('[role="tab"]', box)) {
      const isShown = tab.getAttribute('aria-controls') === shown?.id;
      tab.setAttribute('aria-selected', String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
    }
  }
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

function moveAlong(list: HTMLElement, event: KeyboardEvent): void {
  const step = STEPS[event.key];
  const tabs = all('[role="tab"]', list);
  if (step === undefined) return;
  const index = tabs.findIndex((tab) => tab.matches(':focus'));
  const next = tabs[(index + step + tabs.length) % tabs.length];
  next?.click();
  next?.focus();
  event.preventDefault();
}
