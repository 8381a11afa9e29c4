/** As people type them: separated by commas or blanks. */
export const labelsIn = (text: string): readonly string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

export const labelsText = (labels: readonly string[]): string => labels.join(', ');

export const LABELS_HINT = 'Separated by commas, such as europe, backup. Lists can be filtered by them.';
