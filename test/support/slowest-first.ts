import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, the slowest first, as the last lines of a CI run show them. Vitest begins with the largest
 * files where it has not measured any, and a small file may be slow: then one of them ends the run alone, with one core
 * idle. A file that is missing here only waits for its turn by size.
 */
const SLOWEST = [
  'documents/documents',
  'faults/renewals-races',
  'browser/dashboard/every-screen',
  'faults/restart',
  'contract/billing-lists',
  'contract/new-psp',
  'providers/reported-refunds',
  'faults/record-room',
  'faults/races',
  'browser/dashboard/team',
  'browser/dashboard/subscriptions',
  'browser/dashboard/webhooks',
  'browser/dashboard/developers',
  'browser/dashboard/platform',
  'browser/dashboard/lab',
  'browser/dashboard/payments-list',
  'browser/dashboard/routing',
  'browser/dashboard/connections',
  'browser/dashboard/workflows',
  'browser/dashboard/payment',
  'unit/aws/bundling',
  'browser/sign-in',
  'http/large-organization',
  'providers/off-session',
  'browser/simulator-pages',
  'model/other-shops',
  'browser/dashboard/shell',
  'faults/relay-stopped',
  'browser/payment-link',
  'http/workflows/http-request-step',
  'browser/dashboard/mishaps',
  'browser/dashboard/approvals',
  'model/page-shops',
  'http/isolation',
  'faults/crash-captures',
  'http/list-costs',
  'browser/reference',
  'browser/every-page',
  'http/subscriptions/renewals',
  'faults/crash-sweep',
  'faults/velocity',
  'http/subscriptions/renewals-started-period',
  'http/payments-list-oracle',
  'contract/repos',
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
  'model/card-shops',
  'contract/routing-snapshot',
  'cdk/deployment',
  'cdk/stacks',
  'http/local-host-start',
  'cdk/every-setting',
  'contract/bootstrap',
  'browser/dashboard/hostile-texts',
  'contract/psp-details',
  'contract/projector',
  'contract/hash-rotation',
  'contract/payment-walks',
  'browser/dashboard/serving',
  'browser/dashboard/disputes',
  'browser/dashboard/today',
  'browser/customer-returns',
  'providers/flutterwave',
  'providers/mollie',
  'providers/paypal',
  'providers/razorpay',
  'faults/restore',
  'faults/delivery-crashes',
  'faults/renewals-requests',
  'faults/unknown-outcome',
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
