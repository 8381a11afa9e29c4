import type { StepContext } from '#functions/workflow-runs/step-context.ts';
import {
  CALL_WINDOW,
  integrationOf,
  type OpenIntegration,
  outcomeOfRequest,
} from '#functions/workflow-runs/steps/request-step.ts';
import { secretOf } from '#functions/workflow-runs/steps/step-caller.ts';
import type { StepOutcome } from '#shared/domain/workflows/execution.machine.ts';
import type { Execution, MailResults } from '#shared/domain/workflows/execution.model.ts';
import { fillText } from '#shared/domain/workflows/expression.rules.ts';
import type { NotifyStep } from '#shared/domain/workflows/workflow.model.ts';
import { monotonic } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { LASTING_MAIL_ERRORS, type Mail, MailError, type MailPort } from '#shared/ports/mail.port.ts';
import { mailableAddresses } from '#shared/services/workflows/mailable-addresses.service.ts';

type Needs = Pick<Deps, 'config' | 'mail' | 'members' | 'organizations' | 'vault' | 'webhookHttp' | 'workflows'>;

/** Notifies people by Slack or mail. */
export async function notifyStep(work: StepContext<NotifyStep>, deps: Needs): Promise<StepOutcome> {
  const open = await integrationOf(work.event.org_id, work.step.integration_id, deps);
  const { integration } = open;
  if (integration.type === 'slack') return postToSlack(work, open, deps);
  if (integration.type === 'email') return mailAll(work, integration.config.to, deps);
  throw new AppError('not_found', 'This integration cannot notify people. Use one of type slack or email.');
}

async function postToSlack(
  { step, facts }: StepContext<NotifyStep>,
  { secrets }: OpenIntegration,
  { webhookHttp }: Pick<Deps, 'webhookHttp'>,
): Promise<StepOutcome> {
  const body = JSON.stringify({ text: fillText(step.message, facts, asText) });
  const headers = { 'content-type': 'application/json', 'user-agent': 'payfork-workflows' };
  return outcomeOfRequest(await webhookHttp.post({ url: secrets.url ?? '', headers, body, timeoutMs: CALL_WINDOW }));
}

/** Escapes values for Slack, so that a customer's name can neither mention the whole channel nor become a link. */
const asText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Mails one address after the other. The next attempt skips those that are done, so nobody gets the mail twice. A
 * rejected address, or one that may not be mailed, does not keep the mail from the others.
 */
async function mailAll(
  work: StepContext<NotifyStep>,
  to: readonly string[],
  deps: Pick<Deps, 'config' | 'mail' | 'members' | 'organizations'>,
): Promise<StepOutcome> {
  const mail = mailFor(work);
  const results = { ...previousResults(work.execution, work.step) };
  const addressHash = (address: string) =>
    keyedHash(secretOf(work.execution, deps.config), 'mailed', work.id, address).subarray(0, 9).toString('base64url');
  const remaining = to.filter((address) => !results[addressHash(address)]);
  const allowed = await mailableAddresses(remaining, work.event.org_id, deps);
  const notAllowed = remaining.length - allowed.length;
  const end = monotonic() + CALL_WINDOW;
  for (const address of allowed) {
    const result = monotonic() < end ? await sendMail(deps.mail, { to: address, ...mail }) : undefined;
    if (!result)
      return { kind: 'again', output: countResults(results, notAllowed), error: NOT_MAILED, mailResults: results };
    results[addressHash(address)] = result;
  }
  return { ...outcomeOf(results), output: countResults(results, notAllowed) };
}

function mailFor({ step, template, facts }: StepContext<NotifyStep>): Pick<Mail, 'subject' | 'text'> {
  return {
    subject: oneLine(fillText(step.subject ?? `Workflow: ${template.name}`, facts)),
    text: `${fillText(step.message, facts)}\n\n-- \nSent by the workflow "${template.name}".\n`,
  };
}

const previousResults = ({ steps }: Execution, { id }: NotifyStep): MailResults =>
  steps.find((run) => run.id === id)?.mail_results ?? {};

const count = (results: MailResults, result: MailResults[string]): number =>
  Object.values(results).filter((each) => each === result).length;

const countResults = (results: MailResults, notAllowed: number) => ({
  mailed: count(results, 'mailed'),
  rejected: count(results, 'rejected') + notAllowed,
});

function outcomeOf(results: MailResults): StepOutcome {
  if (count(results, 'rejected') > 0) return { kind: 'failed', error: NOT_MAILED };
  return count(results, 'mailed') > 0 ? { kind: 'done' } : { kind: 'failed', error: NO_RECIPIENT };
}

const NOT_MAILED = { code: 'mail_failed', message: 'The mail could not be sent to every address.' };
const NO_RECIPIENT = {
  code: 'mail_failed',
  message:
    'None of the addresses is allowed. Until identity verification is approved, only members who ' +
    'have signed in get mail.',
};

/** Undefined if a later attempt may succeed. */
async function sendMail(mailer: MailPort, mail: Mail): Promise<MailResults[string] | undefined> {
  try {
    await mailer.send(mail);
    return 'mailed';
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return LASTING_MAIL_ERRORS.has(error.kind) ? 'rejected' : undefined;
  }
}

/**
 * Values come from customers, so control characters are removed: they could start another mail header. The cut does not
 * split a character.
 */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed() || 'A workflow';
