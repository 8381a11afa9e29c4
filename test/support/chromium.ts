import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const REASON = 'it needs Chromium, and there is none here (CHROMIUM names one that lies elsewhere)';
/**
 * The shell is the same engine without a window of the browser around each page, so that a page takes half of the
 * processor time.
 */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

// biome-ignore lint/style/noProcessEnv: only the test run itself knows where its browser is, and whether it may skip.
const { CI, CHROMIUM } = process.env;
const executablePath = CHROMIUM ?? PLACES.find((place) => existsSync(place));

/** It connects only to the pages of the tests. */
const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** As root, as in CI and containers, it starts only without its sandbox; it opens only pages of the tests. */
const args = process.getuid?.() === 0 ? [...ARGUMENTS, '--no-sandbox'] : ARGUMENTS;

/** Tests in a real browser. Without one they are skipped by name, and fail in CI. */
export function browserSuite(name: string, body: (browser: () => Browser) => void): void {
  describe(name, () => {
    if (executablePath === undefined) {
      it.skipIf(CI !== 'true')(`is not checked: ${REASON}`, () => expect.fail(REASON));
      return;
    }
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath, args });
    });
    afterAll(() => browser?.close());
    body(() => browser);
  });
}
