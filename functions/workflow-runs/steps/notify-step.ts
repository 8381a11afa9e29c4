import type { StepWork } from '#functions/workflow-runs/step-work.ts';
import { integrationOf, type OpenIntegration } from '#functions/workflow-runs/steps/integration-of.ts';
import { outcomeOfCall } from '#functions/workflow-runs/steps/outcome-of-call.ts';
import { CALL_WINDOW } from '#functions/workflow-runs/steps/request-step.ts';
import type { StepOutcome } from '#shared/domain/workflows/execution.machine.ts';
import type { Execution, Told } from '#shared/domain/workflows/execution.model.ts';
import { filledText } from '#shared/domain/workflows/expression.rules.ts';
import type { NotifyStep } from '#shared/domain/workflows/workflow.model.ts';
import { monotonic } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type Mail, MailError, type MailPort } from '#shared/ports/mail.port.ts';
import { allowedFor } from '#shared/services/workflows/allowed-for.service.ts';

/** Tells people. */
export async function notifyStep(work: StepWork<NotifyStep>, deps: Deps): Promise<StepOutcome> {
  const open = await integrationOf(work.event.org_id, work.step.integration_id, deps);
  const { integration } = open;
  if (integration.type === 'slack') return postToSlack(work, open, deps);
  if (integration.type === 'email') return mailAll(work, integration.config.to, deps);
  throw new AppError('not_found', 'The integration reaches no people.');
}

async function postToSlack(
  { step, facts }: StepWork<NotifyStep>,
  { secrets }: OpenIntegration,
  { outbound }: Deps,
): Promise<StepOutcome> {
  const body = JSON.stringify({ text: filledText(step.message, facts, asText) });
  const headers = { 'content-type': 'application/json', 'user-agent': 'payfork-workflows' };
  return outcomeOfCall(await outbound.post({ url: secrets.url ?? '', headers, body, timeoutMs: CALL_WINDOW }));
}

/** What is filled in is text to Slack: no customer's name calls the whole channel, or is a link to somewhere else. */
const asText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * One after the other, and after a fault those whom it has not met: nobody is told twice, whoever has come or gone
 * since. Whom no mail ever reaches keeps it from nobody else, and whom it may not go to from those it may.
 */
async function mailAll(work: StepWork<NotifyStep>, to: readonly string[], deps: Deps): Promise<StepOutcome> {
  const mail = mailFor(work);
  const told = { ...toldBefore(work.execution, work.step) };
  const markOf = (address: string) =>
    keyedHash(deps.config.hashSecret, 'mailed', work.id, address).subarray(0, 9).toString('base64url');
  const left = to.filter((address) => !told[markOf(address)]);
  const allowed = await allowedFor(left, work.event.org_id, deps);
  const leftOut = left.length - allowed.length;
  const end = monotonic() + CALL_WINDOW;
  for (const address of allowed) {
    const fared = monotonic() < end ? await take(deps.mail, { to: address, ...mail }) : undefined;
    if (!fared) return { kind: 'again', output: counted(told, leftOut), error: NOT_MAILED, told };
    told[markOf(address)] = fared;
  }
  return { ...endOf(told), output: counted(told, leftOut) };
}

function mailFor({ step, template, facts }: StepWork<NotifyStep>): Pick<Mail, 'subject' | 'text'> {
  return {
    subject: oneLine(filledText(step.subject ?? `Workflow: ${template.name}`, facts)),
    text: `${filledText(step.message, facts)}\n\n-- \nSent by the workflow "${template.name}".\n`,
  };
}

const toldBefore = ({ steps }: Execution, { id }: NotifyStep): Told => steps.find((run) => run.id === id)?.told ?? {};

const count = (told: Told, fared: Told[string]): number => Object.values(told).filter((each) => each === fared).length;

const counted = (told: Told, leftOut: number) => ({
  mailed: count(told, 'mailed'),
  rejected: count(told, 'rejected') + leftOut,
});

function endOf(told: Told): StepOutcome {
  if (count(told, 'rejected') > 0) return { kind: 'failed', error: NOT_MAILED };
  return count(told, 'mailed') > 0 ? { kind: 'done' } : { kind: 'failed', error: NOBODY_LEFT };
}

const NOT_MAILED = { code: 'mail_failed', message: 'The mail could not be sent to everybody.' };
const NOBODY_LEFT = {
  code: 'mail_failed',
  message:
    'None of the addresses is that of a member who has signed in, as it must be until the identity verification is approved.',
};

/** Undefined where it may work later. */
async function take(mailer: MailPort, mail: Mail): Promise<Told[string] | undefined> {
  try {
    await mailer.send(mail);
    return 'mailed';
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return error.kind === 'rejected' ? 'rejected' : undefined;
  }
}

/**
 * What is filled in comes from customers: no character of it begins another header. What was cut off ends with a whole
 * one.
 */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed() || 'A workflow';
