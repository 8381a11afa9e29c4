// Written by `npm run client` from the route table. Do not edit.
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  CreateIntegration,
  CreateWorkflowRule,
  CreateWorkflowTemplate,
  Deleted,
  Integration,
  IntegrationList,
  StartWorkflowExecution,
  UpdateIntegration,
  UpdateWorkflowRule,
  UpdateWorkflowTemplate,
  WorkflowExecution,
  WorkflowExecutionList,
  WorkflowRule,
  WorkflowRuleList,
  WorkflowTemplate,
  WorkflowTemplateList,
} from './schemas.ts';

export type ListIntegrationsQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
};

export type ListTemplatesQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
};

export type ListRulesQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
};

export type ListExecutionsQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
  status?: 'pending' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'canceled' | 'refused';
  template_id?: string;
  /** Inclusive: an object created at exactly this time is in the list. */
  created_after?: string;
  /**
   * Exclusive: an object created at exactly this time is not in the list, so adjoining time ranges neither overlap
   * nor leave a gap.
   */
  created_before?: string;
};

export const workflows = (call: Call) => ({
  /**
   * List integrations.
   * `GET /v1/workflows/integrations`: Requires the scope `workflows:read`. Counts among the 500 reads a minute.
   */
  listIntegrations: (input?: ListIntegrationsQuery, options?: RequestOptions): List<Integration, IntegrationList> =>
    call.list('/v1/workflows/integrations', 'integrations', input, options),

  /**
   * Create an integration.
   * `POST /v1/workflows/integrations`: Requires the scope `workflows:write`. Counts among the 100 other writes a
   * minute.
   */
  createIntegration: (input: CreateIntegration, options?: RequestOptions): Promise<Integration> =>
    call.change('POST', '/v1/workflows/integrations', input, options),

  /**
   * Get an integration.
   * `GET /v1/workflows/integrations/{id}`: Requires the scope `workflows:read`. Counts among the 500 reads a
   * minute.
   */
  getIntegration: (id: string, input?: NoInput, options?: RequestOptions): Promise<Integration> =>
    call.get(path`/v1/workflows/integrations/${id}`, input, options),

  /**
   * Update an integration.
   * `PATCH /v1/workflows/integrations/{id}`: Requires the scope `workflows:write`. Counts among the 100 other
   * writes a minute.
   */
  updateIntegration: (id: string, input: UpdateIntegration, options?: RequestOptions): Promise<Integration> =>
    call.change('PATCH', path`/v1/workflows/integrations/${id}`, input, options),

  /**
   * Delete an integration.
   * `DELETE /v1/workflows/integrations/{id}`: Requires the scope `workflows:write`. Counts among the 100 other
   * writes a minute.
   */
  deleteIntegration: (id: string, input?: NoInput, options?: RequestOptions): Promise<Deleted> =>
    call.change('DELETE', path`/v1/workflows/integrations/${id}`, input, options),

  /**
   * List workflow templates.
   * `GET /v1/workflows/templates`: Requires the scope `workflows:read`. Counts among the 500 reads a minute.
   */
  listTemplates: (input?: ListTemplatesQuery, options?: RequestOptions): List<WorkflowTemplate, WorkflowTemplateList> =>
    call.list('/v1/workflows/templates', 'templates', input, options),

  /**
   * Create a workflow template.
   * `POST /v1/workflows/templates`: Requires the scope `workflows:write`. Counts among the 100 other writes a
   * minute.
   */
  createTemplate: (input: CreateWorkflowTemplate, options?: RequestOptions): Promise<WorkflowTemplate> =>
    call.change('POST', '/v1/workflows/templates', input, options),

  /**
   * Get a workflow template.
   * `GET /v1/workflows/templates/{id}`: Requires the scope `workflows:read`. Counts among the 500 reads a minute.
   */
  getTemplate: (id: string, input?: NoInput, options?: RequestOptions): Promise<WorkflowTemplate> =>
    call.get(path`/v1/workflows/templates/${id}`, input, options),

  /**
   * Update a workflow template.
   * `PATCH /v1/workflows/templates/{id}`: Requires the scope `workflows:write`. Counts among the 100 other writes a
   * minute.
   */
  updateTemplate: (id: string, input: UpdateWorkflowTemplate, options?: RequestOptions): Promise<WorkflowTemplate> =>
    call.change('PATCH', path`/v1/workflows/templates/${id}`, input, options),

  /**
   * Delete a workflow template.
   * `DELETE /v1/workflows/templates/{id}`: Requires the scope `workflows:write`. Counts among the 100 other writes
   * a minute.
   */
  deleteTemplate: (id: string, input?: NoInput, options?: RequestOptions): Promise<Deleted> =>
    call.change('DELETE', path`/v1/workflows/templates/${id}`, input, options),

  /**
   * List workflow rules.
   * `GET /v1/workflows/rules`: Requires the scope `workflows:read`. Counts among the 500 reads a minute.
   */
  listRules: (input?: ListRulesQuery, options?: RequestOptions): List<WorkflowRule, WorkflowRuleList> =>
    call.list('/v1/workflows/rules', 'rules', input, options),

  /**
   * Create a workflow rule.
   * `POST /v1/workflows/rules`: Requires the scope `workflows:write`. Counts among the 100 other writes a minute.
   */
  createRule: (input: CreateWorkflowRule, options?: RequestOptions): Promise<WorkflowRule> =>
    call.change('POST', '/v1/workflows/rules', input, options),

  /**
   * Get a workflow rule.
   * `GET /v1/workflows/rules/{id}`: Requires the scope `workflows:read`. Counts among the 500 reads a minute.
   */
  getRule: (id: string, input?: NoInput, options?: RequestOptions): Promise<WorkflowRule> =>
    call.get(path`/v1/workflows/rules/${id}`, input, options),

  /**
   * Update a workflow rule.
   * `PATCH /v1/workflows/rules/{id}`: Requires the scope `workflows:write`. Counts among the 100 other writes a
   * minute.
   */
  updateRule: (id: string, input: UpdateWorkflowRule, options?: RequestOptions): Promise<WorkflowRule> =>
    call.change('PATCH', path`/v1/workflows/rules/${id}`, input, options),

  /**
   * Delete a workflow rule.
   * `DELETE /v1/workflows/rules/{id}`: Requires the scope `workflows:write`. Counts among the 100 other writes a
   * minute.
   */
  deleteRule: (id: string, input?: NoInput, options?: RequestOptions): Promise<Deleted> =>
    call.change('DELETE', path`/v1/workflows/rules/${id}`, input, options),

  /**
   * List workflow executions.
   * `GET /v1/workflows/executions`: Requires the scope `workflows:read`. Counts among the 500 reads a minute.
   */
  listExecutions: (
    input?: ListExecutionsQuery,
    options?: RequestOptions,
  ): List<WorkflowExecution, WorkflowExecutionList> =>
    call.list('/v1/workflows/executions', 'executions', input, options),

  /**
   * Run a workflow template for an event.
   * `POST /v1/workflows/executions`: Requires the scope `workflows:write`. Counts among the 100 other writes a
   * minute.
   */
  startExecution: (input: StartWorkflowExecution, options?: RequestOptions): Promise<WorkflowExecution> =>
    call.change('POST', '/v1/workflows/executions', input, options),

  /**
   * Get a workflow execution.
   * `GET /v1/workflows/executions/{id}`: Requires the scope `workflows:read`. Counts among the 500 reads a minute.
   */
  getExecution: (id: string, input?: NoInput, options?: RequestOptions): Promise<WorkflowExecution> =>
    call.get(path`/v1/workflows/executions/${id}`, input, options),

  /**
   * Cancel a workflow execution.
   * `POST /v1/workflows/executions/{id}/cancel`: Requires the scope `workflows:write`. Counts among the 100 other
   * writes a minute.
   */
  cancelExecution: (id: string, input?: NoInput, options?: RequestOptions): Promise<WorkflowExecution> =>
    call.change('POST', path`/v1/workflows/executions/${id}/cancel`, input, options),
});
