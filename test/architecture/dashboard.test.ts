import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FILES = globSync('client/dashboard/**/*.{ts,tsx}').sort();
const TEXTS = new Map(FILES.map((file) => [file, readFileSync(file, 'utf8')]));

/** The app knows the API by its client, and of the service only which decimals a currency has. */
const MAY_IMPORT =
  /^(#client\/[\w/.-]+\.(ts|tsx|css)|#shared\/domain\/reference\/currencies\.catalog\.ts|preact(\/hooks)?|preact-iso(\/router)?|uplot(\/[\w/.-]+\.css)?)$/;
/** Examples of code for merchants are texts. */
const EXAMPLES = /-snippets\.ts$/;
/** The control server is no part of the API, and only local hosts have it. */
const CONTROL = 'client/dashboard/screens/lab/control.ts';

const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:import|export)\s[^'"`;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    ([, from, bare, lazy]) => from ?? bare ?? lazy ?? '',
  );

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
const filesWith = (pattern: RegExp) => FILES.filter((file) => pattern.test(withoutComments(TEXTS.get(file) ?? '')));

it('imports into the dashboard nothing but its own files, the typed client and its three packages', () => {
  const found = FILES.filter((file) => !EXAMPLES.test(file)).flatMap((file) =>
    importsOf(TEXTS.get(file) ?? '').map((from) => ({ file, from })),
  );
  expect(found.length).toBeGreaterThan(500);
  expect(found.filter(({ from }) => !MAY_IMPORT.test(from))).toEqual([]);
});

it('lets the dashboard call the API through the typed client only', () => {
  expect(filesWith(/\bfetch\(|XMLHttpRequest|sendBeacon|EventSource|WebSocket/)).toEqual([CONTROL]);
  expect(filesWith(/['"`]\/v1\//)).toEqual([]);
});

it('lets the dashboard write no markup as text', () => {
  expect(filesWith(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/i)).toEqual([]);
});

it('lets the dashboard ask for the time in one file only, so that a clock that was moved on counts', () => {
  const asking = filesWith(/new Date\(\s*\)|Date\.now/).filter((file) => !EXAMPLES.test(file));
  // When something was kept is only compared with what the same browser has kept before.
  expect(asking).toEqual(['client/dashboard/api/query-cache.ts', 'client/dashboard/api/server-time.ts']);
});
