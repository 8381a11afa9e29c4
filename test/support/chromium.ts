import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const REASON = 'it needs Chromium, and there is none here (CHROMIUM names one that lies elsewhere)';
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

// biome-ignore lint/style/noProcessEnv: only the test run itself knows where its browser is, and whether it may skip.
const { CI, CHROMIUM } = process.env;
const executablePath = CHROMIUM ?? PLACES.find((place) => existsSync(place));

/** It talks to nobody but the pages that it is shown. */
const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** As root, which CI and containers are, it starts without its sandbox only; what it is shown is ours. */
const args = process.getuid?.() === 0 ? [...ARGUMENTS, '--no-sandbox'] : ARGUMENTS;

/** Tests in a real browser. Without one they are skipped by name, and in CI they fail instead. */
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
