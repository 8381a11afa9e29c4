import { wordsOf } from '#client/dashboard/ui/badge.tsx';
import type { Integration, WorkflowStep } from '#client/typescript/src/generated/schemas.ts';

type Names = ReadonlyMap<string, string>;

export const namesOf = (integrations: readonly Integration[]): Names =>
  new Map(integrations.map(({ id, name }) => [id, name]));

/** The type of a step, as people read it. */
export const typeWords = (type: WorkflowStep['type']): string =>
  type === 'http_request' ? 'HTTP request' : wordsOf(type);

/** A type that is newer than this page, or half typed. */
const unknownStep = ({ type }: { readonly type: string }): string => wordsOf(type);

/** What a step does, in a few words. */
export function stepWords(step: WorkflowStep, names: Names): string {
  switch (step.type) {
    case 'http_request':
      return `Calls ${names.get(step.integration_id) ?? step.integration_id}`;
    case 'notify':
      return `Tells ${names.get(step.integration_id) ?? step.integration_id}`;
    case 'tag_payment':
      return `Tags the payment: ${Object.keys(step.metadata).join(', ')}`;
    case 'cancel_payment':
      return 'Cancels the payment';
    case 'capture_payment':
      return step.amount === undefined ? 'Captures what is left' : `Captures ${step.amount} (minor units)`;
    case 'refund_payment':
      return step.amount === undefined ? 'Refunds what is left' : `Refunds ${step.amount} (minor units)`;
    case 'pause_subscription':
      return 'Pauses the subscription';
    case 'delay':
      return `Waits ${step.for}`;
    case 'condition':
      return `If ${step.if}`;
    default:
      return unknownStep(step);
  }
}

/** Where a step leads, for those who read the list. */
export function nextWords(step: WorkflowStep, edges: readonly { from: string; to: string | null; when?: string }[]) {
  const targets = edges.filter(({ from }) => from === step.id);
  return targets
    .map(({ to, when }) => {
      const target = to === null ? 'the end' : to;
      if (when === undefined) return `Then ${target}`;
      return when === 'yes' ? `If so, ${target}` : `if not, ${target}`;
    })
    .join('; ');
}
