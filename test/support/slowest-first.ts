import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, the slowest first, as the last lines of a CI run show them. Vitest begins with the largest
 * files where it has not measured any, and a small file may be slow: then one of them ends the run alone, with one core
 * idle. A file that is missing here only waits for its turn by size.
 */
const SLOWEST = [
  'faults/renewals-races',
  'faults/races',
  'faults/record-room',
  'contract/new-psp',
  'faults/restart',
  'providers/reported-refunds',
  'contract/billing-lists',
  'http/large-organization',
  'http/subscriptions/renewals',
  'browser/sign-in',
  'documents/documents',
  'faults/relay-stopped',
  'faults/crash-sweep',
  'faults/velocity',
  'browser/every-page',
  'http/workflows/http-request-step',
  'http/subscriptions/renewals-started-period',
  'browser/payment-link',
  'browser/simulator-pages',
  'http/payments-list-oracle',
  'contract/repos',
  'providers/off-session',
  'providers/adyen',
  'releases/release-compatibility',
  'faults/members',
  'faults/delivery-interrupted',
  'contract/receiver-names',
  'http/workflows/executions',
  'faults/renewals-relay',
  'faults/workflows-crashes',
  'contract/ops',
  'providers/bad-tokens',
  'browser/account-links',
  'model/other-shops',
  'model/page-shops',
  'model/card-shops',
  'contract/routing-snapshot',
  'cdk/deployment',
  'cdk/stacks',
  'http/local-host-start',
].map((name) => `test/${name}.test.ts`);

const rankOf = ({ moduleId, project }: TestSpecification): number => {
  const rank = SLOWEST.indexOf(relative(project.config.root, moduleId));
  return rank < 0 ? SLOWEST.length : rank;
};

/** Within each store, in which files come in the order that Vitest gives them. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => (a.project.name === b.project.name ? rankOf(a) - rankOf(b) : 0));
  }
}
