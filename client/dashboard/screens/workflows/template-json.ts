import type { WorkflowStep } from '#client/typescript/src/generated/schemas.ts';

/** The steps in this text, or why it holds none. The API checks everything else, and says which field is wrong. */
export function stepsIn(text: string): { readonly steps: readonly WorkflowStep[] } | { readonly fault: string } {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? { steps: value } : { fault: 'Must be a list of steps: [ { … }, { … } ].' };
  } catch (error) {
    return { fault: `This is not JSON. ${error instanceof Error ? error.message : ''}` };
  }
}

export const EXAMPLE_STEPS: readonly WorkflowStep[] = [
  { id: 'large', type: 'condition', if: 'data.amount >= 10000' },
  { id: 'mark', type: 'tag_payment', metadata: { follow_up: true } },
];
