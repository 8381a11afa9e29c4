import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Tests wait for timers, sockets and disks more than they compute: a core for each worker is not too many.
    maxWorkers: '100%',
    coverage: { provider: 'v8', include: ['shared/**', 'functions/**', 'lib/**'], reporter: ['text-summary'] },
  },
});
