import { dialogOf } from '#client/reference/dialogs.ts';
import { hostValue, need } from '#client/reference/find.ts';
import { findPlaces, type Place } from '#client/reference/find-places.ts';

let places: Promise<readonly Place[]> | undefined;
/** Loaded at the first key press, and once. */
const loaded = (): Promise<readonly Place[]> => {
  places ??= fetch(hostValue('search')).then((response) => {
    if (!response.ok) throw new Error(`The search index answered ${response.status}.`);
    return response.json();
  });
  return places;
};

export function startSearch(): void {
  const dialog = dialogOf('search');
  const input = need('#search-input', HTMLInputElement);
  const list = need('#search-results', HTMLUListElement);
  input.addEventListener('input', () => void showResults(input, list));
  input.addEventListener('keydown', (event) => moveChoice(event, input, list));
  addEventListener('keydown', (event) => {
    const isSlash = event.key === '/' && !isTyping(event.target);
    const isFind = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if ((!isSlash && !isFind) || dialog.open) return;
    event.preventDefault();
    dialog.showModal();
    input.select();
  });
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

async function showResults(input: HTMLInputElement, list: HTMLUListElement): Promise<void> {
  const status = need('#search-status', HTMLParagraphElement);
  const asked = input.value;
  try {
    const found = findPlaces(await loaded(), asked);
    if (input.value !== asked) return;
    list.replaceChildren(...found.map(resultOf));
    status.textContent = messageFor(asked, found.length);
  } catch {
    places = undefined;
    status.textContent = 'The search could not be loaded. Try again.';
  }
  input.setAttribute('aria-expanded', String(list.children.length > 0));
  mark(input, list, 0);
}

function messageFor(asked: string, count: number): string {
  if (asked.trim() === '') return 'Type to search. Arrow keys choose, Enter opens.';
  if (count === 0) return 'Nothing found. Try another word.';
  return count === 1 ? '1 result' : `${count} results`;
}

function resultOf([title, page, address]: Place, index: number): HTMLLIElement {
  const item = document.createElement('li');
  const name = document.createElement('strong');
  const where = document.createElement('span');
  item.id = `result-${index}`;
  item.setAttribute('role', 'option');
  name.textContent = title;
  where.textContent = page;
  item.append(name, where);
  item.addEventListener('click', () => {
    dialogOf('search').close();
    location.assign(address);
  });
  return item;
}

/** The chosen result, which Enter opens. */
function mark(input: HTMLInputElement, list: HTMLUListElement, index: number): void {
  const items = [...list.children];
  for (const [at, item] of items.entries()) item.setAttribute('aria-selected', String(at === index));
  const chosen = items[index];
  if (chosen) input.setAttribute('aria-activedescendant', chosen.id);
  else input.removeAttribute('aria-activedescendant');
  chosen?.scrollIntoView({ block: 'nearest' });
}

function moveChoice(event: KeyboardEvent, input: HTMLInputElement, list: HTMLUListElement): void {
  const items = [...list.children];
  const at = items.findIndex((item) => item.getAttribute('aria-selected') === 'true');
  if (event.key === 'Enter') {
    event.preventDefault();
    list.querySelector<HTMLElement>('[aria-selected="true"]')?.click();
    return;
  }
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' && -1;
  if (!step || items.length === 0) return;
  event.preventDefault();
  mark(input, list, (at + step + items.length) % items.length);
}
