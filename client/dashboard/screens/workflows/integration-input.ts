import type {
  CreateIntegration,
  Integration,
  IntegrationConfig,
  UpdateIntegration,
} from '#client/typescript/src/generated/schemas.ts';

export type IntegrationDraft = {
  readonly name: string;
  readonly type: Integration['type'];
  readonly url: string;
  /** `name: value`, one a line. */
  readonly headers: string;
  readonly to: string;
  readonly enabled: boolean;
};

/** What a form says, of a new integration or a stored one. */
export type IntegrationInput = {
  readonly name: string;
  readonly type: Integration['type'];
  readonly config: IntegrationConfig;
  readonly enabled: boolean;
};

/** Addresses of Slack are secrets: what is stored is not shown, and stays unless a new one is typed in. */
export function draftOf(integration: Integration | undefined): IntegrationDraft {
  const draft = { name: '', type: 'http', url: '', headers: '', to: '', enabled: true } as const;
  if (!integration) return draft;
  const { name, type, enabled } = integration;
  if (integration.type === 'email') return { ...draft, name, type, enabled, to: integration.config.to.join(', ') };
  return { ...draft, name, type, enabled, url: integration.type === 'http' ? integration.config.url : '' };
}

/** What is sent; undefined while something is missing. Headers that are not typed in stay as they are. */
export function inputOf(draft: IntegrationDraft, stored: Integration | undefined): IntegrationInput | undefined {
  const { name, type, enabled } = draft;
  const config = configOf(draft);
  const isComplete = name.trim() !== '' && (stored !== undefined || Object.keys(config).length > 0);
  return isComplete ? { name: name.trim(), type, config, enabled } : undefined;
}

/** A new one is complete: `inputOf` demands what its type needs. */
export const creationOf = (input: IntegrationInput): CreateIntegration => input as CreateIntegration;

/** The type never changes. */
export const updateOf = ({ type: _, config, ...rest }: IntegrationInput): UpdateIntegration => ({
  ...rest,
  ...(Object.keys(config).length > 0 && { config }),
});

function configOf({ type, url, headers, to }: IntegrationDraft): IntegrationConfig {
  if (type === 'email') return to.trim() === '' ? {} : { to: listIn(to) };
  const lines = headersIn(headers);
  const hasHeaders = type === 'http' && Object.keys(lines).length > 0;
  return { ...(url.trim() !== '' && { url: url.trim() }), ...(hasHeaders && { headers: lines }) };
}

const listIn = (text: string): readonly string[] => text.split(/[\s,;]+/).filter((part) => part !== '');

function headersIn(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.trim(), value.join(':').trim()] as const;
    }),
  );
}
