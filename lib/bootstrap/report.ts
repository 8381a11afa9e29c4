import type { Bootstrapped } from '#functions/platform/bootstrap-organization.usecase.ts';

/** The command's output. It is the only place where the key's text is ever shown. */
export function report({ orgId, name, owner, isNew, key }: Bootstrapped): string {
  const head = isNew
    ? 'Made:'
    : key
      ? `${owner} has this organization already; a further key was made:`
      : `${owner} has this organization already; nothing was made.`;
  const lines = [head, '', `  organization  ${orgId}  ${name}`, `  owner         ${owner}`];
  if (key)
    return [
      ...lines,
      `  API key       ${key.reveal()}`,
      '',
      'The key is shown this once and kept nowhere. Put it away now.',
      '',
    ].join('\n');
  return [
    ...lines,
    '',
    'Its key was shown when it was made. If it was lost, --new-key makes another one; revoke the lost one with that.',
    '',
  ].join('\n');
}
