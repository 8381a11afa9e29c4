import { invalidate } from '#client/dashboard/api/query-cache.ts';
import type { Send } from '#client/dashboard/api/use-action.ts';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { SaveConnection, ValidatedConnection } from '#client/typescript/src/index.ts';

/** Saves, and then asks the provider whether it accepts the credentials. Both repeat as one operation. */
export const saveAndValidate: Send<SaveConnection, ValidatedConnection> = async (api, input, options) => {
  const { id } = await api.connections.save(input, options);
  return api.connections.validate(id, {}, { idempotencyKey: `${options.idempotencyKey}-validate` });
};

const RESULTS = {
  valid: ['The provider accepts these credentials.', 'good'],
  invalid: ['Saved, but the provider refuses these credentials.', 'bad'],
  unreachable: ['Saved, but the provider could not be reached to check them.', 'warn'],
  never: ['Saved. The credentials were not checked.', 'warn'],
} as const;

/** What everybody sees of connections is read again. */
export const forgetConnections = (): void =>
  invalidate('connections', 'connection', 'audit', 'attention', 'routing', 'routing-rules');

export function tellValidation({ last_validation_status }: Pick<ValidatedConnection, 'last_validation_status'>): void {
  const [text, tone] = RESULTS[last_validation_status];
  showToast(text, tone);
}

/** As people type them: separated by commas or blanks. */
export const labelsIn = (text: string): readonly string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

export const labelsText = (labels: readonly string[]): string => labels.join(', ');

export const LABELS_HINT = 'Separated by commas, such as europe, backup. Lists can be filtered by them.';
