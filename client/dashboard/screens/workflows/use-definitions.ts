import { useQuery } from '#client/dashboard/api/use-query.ts';
import type { Integration, WorkflowRule, WorkflowTemplate } from '#client/typescript/src/generated/schemas.ts';

/** An organization has at most a hundred of each. */
const ALL = { limit: 200 } as const;

export const useTemplates = () =>
  useQuery<readonly WorkflowTemplate[]>(
    ['workflows', 'templates'],
    async (api, options) => (await api.workflows.listTemplates(ALL, options)).items,
  );

export const useRules = () =>
  useQuery<readonly WorkflowRule[]>(
    ['workflows', 'rules'],
    async (api, options) => (await api.workflows.listRules(ALL, options)).items,
  );

export const useIntegrations = () =>
  useQuery<readonly Integration[]>(
    ['workflows', 'integrations'],
    async (api, options) => (await api.workflows.listIntegrations(ALL, options)).items,
  );
