import { hostStore } from '#test/support/host-store.ts';

// biome-ignore lint/style/noProcessEnv: set for runs of all tests on DynamoDB.
const isWholeRun = (): boolean => hostStore().store === 'sqlite' || process.env.ALL !== undefined;

/**
 * Of cases that differ in what the store has no say in, one of a kind has to do on DynamoDB, where each takes many times
 * as long. On SQLite all of them run, and with `npm run test:dynamodb:all` on both.
 */
export const shortened = <T>(cases: readonly T[], ...chosen: readonly number[]): readonly T[] =>
  isWholeRun() ? cases : cases.filter((_, n) => chosen.includes(n));

/** How often a race is run. */
export const timesOf = (all: number, onDynamoDb: number): number => (isWholeRun() ? all : onDynamoDb);
