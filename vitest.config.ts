import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Tests wait for timers, sockets and disks more than they compute: a core for each worker is not too many.
    maxWorkers: '100%',
    // Files of one worker share what they import, and that is compiled and warm for all but the first: a third less
    // work. Each file has hosts of its own, and what keeps something per process is imported anew (`startAwsAccount`).
    isolate: false,
    coverage: { provider: 'v8', include: ['shared/**', 'functions/**', 'lib/**'], reporter: ['text-summary'] },
  },
});
