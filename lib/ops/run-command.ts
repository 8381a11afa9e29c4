import { type Operator, recordCommand } from '#lib/ops/audit.ts';
import { find } from '#lib/ops/find.ts';
import type { OpsHost, OpsResult } from '#lib/ops/ops-host.ts';
import type { OpsOptions } from '#lib/ops/ops-options.ts';
import { quarantine } from '#lib/ops/quarantine.ts';
import { recount } from '#lib/ops/recount.ts';
import { recountSubscriptions } from '#lib/ops/recount-subscriptions.ts';
import { redrive } from '#lib/ops/redrive.ts';
import { rehash } from '#lib/ops/rehash.ts';
import { reindex } from '#lib/ops/reindex.ts';
import { reconcile } from '#lib/recovery/reconcile.ts';
import { reportText } from '#lib/recovery/recovery-report.ts';
import { requireOrganization } from '#lib/recovery/walk-records.ts';

/** Runs one command. Without an operator it only shows what it would do. */
export async function runCommand(options: OpsOptions, host: OpsHost): Promise<OpsResult> {
  const { command, subjects, release, from = '', to } = options;
  const [subject = ''] = subjects;
  const operator = operatorOf(options);
  const result = await run();
  const isRehearsal = operator === undefined && command !== 'find';
  return isRehearsal
    ? { ...result, text: `${result.text}\nNothing was written. Add --yes --by you@example.com.\n` }
    : result;

  function run(): Promise<OpsResult> {
    switch (command) {
      case 'find':
        return find(subject, options.org, host);
      case 'redrive':
        return redrive(subjects, operator, host);
      case 'recount':
        return recount(subject, { from, to: to ?? from }, operator, host.deps);
      case 'recount-subscriptions':
        return recountSubscriptions(subject, operator, host.deps);
      case 'reindex':
        return reindex(subject, { from: options.from, to }, operator, host);
      case 'quarantine':
        return quarantine(subject, release, operator, host.deps);
      case 'rehash':
        return rehash(subjects, operator, host);
      case 'reconcile':
        return reconcileRange(options, operator, host);
    }
  }
}

const operatorOf = ({ yes, by = '', command, subjects, reason }: OpsOptions): Operator | undefined =>
  yes ? { by, command: ['ops', command, ...subjects].join(' '), reason } : undefined;

async function reconcileRange(
  { from = '', to, org }: OpsOptions,
  operator: Operator | undefined,
  { deps }: OpsHost,
): Promise<OpsResult> {
  const until = to === undefined ? deps.clock.now() : new Date(to);
  const range = { from: new Date(from), until, write: operator !== undefined, orgId: org };
  if (range.from >= until) throw new Error('--from must be before --to, which is now if it is left out.');
  if (org !== undefined) await requireOrganization(org, deps);
  if (operator) await recordCommand(operator, undefined, deps);
  const report = await reconcile(range, deps);
  return { text: reportText(report), data: report };
}
