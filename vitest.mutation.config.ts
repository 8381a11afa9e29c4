import { defineConfig } from 'vitest/config';

/** The tests that `npm run mutation` runs for each change: those of rules and use cases, which start no host. */
export default defineConfig({
  test: {
    include: ['test/unit/domain/**/*.test.ts', 'test/unit/usecases/**/*.test.ts'],
    isolate: false,
    // Stryker has its own time limit for a change that loops.
    testTimeout: 30_000,
  },
});
