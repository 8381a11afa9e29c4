import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** How the requests of some tests were sent. */
export type ClientUse = {
  /** Through a method of the typed client, and without one. */
  readonly client: number;
  readonly raw: number;
  /** Of the methods. */
  readonly operations: readonly string[];
  /** Of all methods that the client has. */
  readonly methods: readonly string[];
};
/** A `ClientUse` on each line. */
export const CLIENT_USE_FILE = 'coverage/client-use.jsonl';

// biome-ignore lint/style/noProcessEnv: only the test run itself knows whether its last lines will tell it.
const { CI } = process.env;

/** What this worker's tests have sent since it was last recorded. */
let use = { client: 0, raw: 0, operations: new Set<string>() };
let methods: readonly string[] = [];

/** Undefined: no method of the client sends such a request. */
export function countRequest(operation: string | undefined, all: readonly string[]): void {
  methods = all;
  if (operation === undefined) {
    use.raw += 1;
    return;
  }
  use.client += 1;
  use.operations.add(operation);
}

/** For the last lines of CI. */
export function recordClientUse(): void {
  if (CI !== 'true') return;
  const line: ClientUse = { ...use, operations: [...use.operations], methods };
  mkdirSync(dirname(CLIENT_USE_FILE), { recursive: true });
  appendFileSync(CLIENT_USE_FILE, `${JSON.stringify(line)}\n`);
  use = { client: 0, raw: 0, operations: new Set() };
}
