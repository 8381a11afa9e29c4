import type { Page } from 'playwright-core';

/**
 * Runs before the page: notes which elements handle clicks, and what the focus visits, with how the visit is seen. So one
 * look at the end tells all, and not one for each press of a key.
 */
const WATCHER = `{
  const clickable = new Set();
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...more) {
    if (type === 'click' && this instanceof HTMLElement) clickable.add(this);
    return add.call(this, type, ...more);
  };
  const visited = new Map();
  const looks = (element) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow, transform } = getComputedStyle(element);
    return [outlineStyle, outlineWidth, outlineColor, boxShadow, transform].join();
  };
  addEventListener('focusin', ({ target }) => visited.set(target, looks(target)));
  const name = (element) => {
    const text = element.getAttribute('aria-label') || element.textContent.trim() || element.name || element.id;
    return element.nodeName.toLowerCase() + ' "' + text.slice(0, 60) + '"';
  };
  const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
  const isOff = (element) => element.disabled || element.closest('fieldset:disabled') !== null;
  const isSecondRadio = (element) =>
    element.type === 'radio' && [...document.getElementsByName(element.name)].some((other) => visited.has(other));
  window.keyboard = {
    begin: () => {
      visited.clear();
      document.getElementById('content').focus();
    },
    isThrough: () => {
      const content = document.getElementById('content');
      return visited.size > 1 && !content.contains(document.activeElement);
    },
    beginIn: (selector) => {
      visited.clear();
      return document.querySelector(selector).contains(document.activeElement);
    },
    outside: (selector) => {
      const inside = document.querySelector(selector);
      return [...visited.keys()].filter((element) => !inside.contains(element)).map(name);
    },
    faults: () => {
      const faults = [];
      document.activeElement?.blur();
      for (const element of document.querySelectorAll('#content ' + CONTROLS.replaceAll(', ', ', #content '))) {
        if (element.tabIndex > 0) faults.push(name(element) + ' is out of order');
        if (!element.checkVisibility({ visibilityProperty: true }) || isOff(element)) continue;
        if (!visited.has(element)) {
          if (element.tabIndex === 0 && !isSecondRadio(element)) faults.push(name(element) + ' is not reached');
        } else if (visited.get(element) === looks(element)) faults.push(name(element) + ' does not show the focus');
      }
      for (const element of clickable)
        if (element.isConnected && !element.closest(CONTROLS + ', label, dialog, [aria-hidden="true"]'))
          faults.push(name(element) + ' hears clicks and no keys');
      return faults;
    },
  };
}`;

export const watchKeyboard = (page: Page): Promise<unknown> => page.addInitScript(WATCHER);

/** More than any screen has. */
const MAX_CONTROLS = 250;

/** What of the screen cannot be reached with Tab, does not show that it has the focus, or is only for a pointer. */
export async function tabFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate('keyboard.begin()');
  for (let n = 0; n < MAX_CONTROLS; n += 1) {
    await page.keyboard.press('Tab');
    if (n % 8 === 7 && (await page.evaluate<boolean>('keyboard.isThrough()'))) break;
  }
  return page.evaluate<string[]>('keyboard.faults()');
}

/** Opens what the buttons of the screen open, one of each name, and closes it with Esc. Nothing can be changed. */
export async function dialogFaults(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  const tried = new Set<string>();
  for (const button of await page.locator('#content button:visible:enabled').elementHandles()) {
    const name = (await button.getAttribute('aria-label')) ?? (await button.textContent()) ?? '';
    const kind = name.replace(/\s.*/, '');
    if (tried.has(kind) || /^(Copy|Try)\b/.test(name)) continue;
    tried.add(kind);
    faults.push(...(await openAndClose(page, button)).map((fault) => `${name}: ${fault}`));
  }
  return faults;
}

/** More than the controls of any dialog. */
const TABS = 12;
const DIALOG = 'dialog[open]';

type Button = Awaited<ReturnType<ReturnType<Page['locator']>['elementHandles']>>[number];

/** A dialog opens, and a menu closes, after the next picture. */
const isDrawn = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((done) => {
    const next = (then) => requestAnimationFrame(() => setTimeout(then));
    next(() => next(done));
  })`);

async function openAndClose(page: Page, button: Button): Promise<readonly string[]> {
  if (!(await button.isVisible())) return [];
  await button.focus();
  await page.keyboard.press('Enter');
  await isDrawn(page);
  const isDialog = (await page.locator(DIALOG).count()) > 0;
  if (!isDialog && (await page.locator('.menu-panel').count()) === 0) return [];
  const faults = isDialog ? await dialogHolds(page) : [];
  await page.keyboard.press('Escape');
  await isDrawn(page);
  if ((await page.locator(`${DIALOG}, .menu-panel`).count()) > 0) return [...faults, 'Esc does not close it'];
  const isBack = await button.evaluate((opener) => opener === opener.ownerDocument?.activeElement);
  return isBack ? faults : [...faults, 'the focus does not come back'];
}

async function dialogHolds(page: Page): Promise<readonly string[]> {
  const begins = await page.evaluate<boolean>(`keyboard.beginIn('${DIALOG}')`);
  for (let n = 0; n < TABS; n += 1) await page.keyboard.press('Tab');
  const left = await page.evaluate<string[]>(`keyboard.outside('${DIALOG}')`);
  return [...(begins ? [] : ['the focus does not begin in it']), ...left.map((name) => `Tab leaves it to ${name}`)];
}
