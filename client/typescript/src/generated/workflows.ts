// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  CreateIntegration,
  CreateWorkflowRule,
  CreateWorkflowTemplate,
  Deleted,
  ExecutionStatus,
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

export type ListWorkflowIntegrationsQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
};

export type ListWorkflowTemplatesQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
};

export type ListWorkflowRulesQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
};

export type ListWorkflowExecutionsQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
  /** Only executions with this status. */
  status?: ExecutionStatus;
  /** Only executions of this template. */
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
   * `GET /v1/workflows/integrations`: Requires the scope `workflows:read`.
   * With examples at `/docs/api/workflows#listWorkflowIntegrations`.
   */
  listIntegrations: (
    input?: ListWorkflowIntegrationsQuery,
    options?: RequestOptions,
  ): List<Integration, IntegrationList> =>
    call.list('/v1/workflows/integrations', 'integrations', input, options),

  /**
   * Create an integration.
   * `POST /v1/workflows/integrations`: Requires the scope `workflows:write`.
   * With examples at `/docs/api/workflows#createWorkflowIntegration`.
   * @throws {PayforkError} `url_not_allowed`, `workflow_limit_reached`, `write_conflict`
   */
  createIntegration: (input: CreateIntegration, options?: RequestOptions): ApiPromise<Integration> =>
    call.change('POST', '/v1/workflows/integrations', input, options),

  /**
   * Get an integration.
   * `GET /v1/workflows/integrations/{id}`: Requires the scope `workflows:read`.
   * With examples at `/docs/api/workflows#getWorkflowIntegration`.
   * @throws {PayforkError} `not_found`
   */
  getIntegration: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Integration> =>
    call.get(path`/v1/workflows/integrations/${id}`, input, options),

  /**
   * Update an integration.
   * `PATCH /v1/workflows/integrations/{id}`: Requires the scope `workflows:write`.
   * With examples at `/docs/api/workflows#updateWorkflowIntegration`.
   * @throws {PayforkError} `url_not_allowed`, `not_found`, `write_conflict`
   */
  updateIntegration: (id: string, input: UpdateIntegration, options?: RequestOptions): ApiPromise<Integration> =>
    call.change('PATCH', path`/v1/workflows/integrations/${id}`, input, options),

  /**
   * Delete an integration.
   * `DELETE /v1/workflows/integrations/{id}`: Requires the scope `workflows:write`.
   * With examples at `/docs/api/workflows#deleteWorkflowIntegration`.
   * @throws {PayforkError} `not_found`, `workflow_integration_in_use`, `write_conflict`
   */
  deleteIntegration: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Deleted> =>
    call.change('DELETE', path`/v1/workflows/integrations/${id}`, input, options),

  /**
   * List workflow templates.
   * `GET /v1/workflows/templates`: Requires the scope `workflows:read`.
   * With examples at `/docs/api/workflows#listWorkflowTemplates`.
   */
  listTemplates: (
    input?: ListWorkflowTemplatesQuery,
    options?: RequestOptions,
  ): List<WorkflowTemplate, WorkflowTemplateList> =>
    call.list('/v1/workflows/templates', 'templates', input, options),

  /**
   * Create a workflow template.
   * `POST /v1/workflows/templates`: Requires the scope `workflows:write`.
   * With examples at `/docs/api/workflows#createWorkflowTemplate`.
   * @throws {PayforkError} `workflow_loop`, `workflow_limit_reached`, `write_conflict`
   */
  createTemplate: (input: CreateWorkflowTemplate, options?: RequestOptions): ApiPromise<WorkflowTemplate> =>
    call.change('POST', '/v1/workflows/templates', input, options),

  /**
   * Get a workflow template.
   * `GET /v1/workflows/templates/{id}`: Requires the scope `workflows:read`.
   * With examples at `/docs/api/workflows#getWorkflowTemplate`.
   * @throws {PayforkError} `not_found`
   */
  getTemplate: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<WorkflowTemplate> =>
    call.get(path`/v1/workflows/templates/${id}`, input, options),

  /**
   * Update a workflow template.
   * `PATCH /v1/workflows/templates/{id}`: Requires the scope `workflows:write`.
   * With examples at `/docs/api/workflows#updateWorkflowTemplate`.
   * @throws {PayforkError} `workflow_loop`, `not_found`, `write_conflict`
   */
  updateTemplate: (id: string, input: UpdateWorkflowTemplate, options?: RequestOptions): ApiPromise<WorkflowTemplate> =>
    call.change('PATCH', path`/v1/workflows/templates/${id}`, input, options),

  /**
   * Delete a workflow template.
   * `DELETE /v1/workflows/templates/{id}`: Requires the scope `workflows:write`.
   * With examples at `/docs/api/workflows#deleteWorkflowTemplate`.
   * @throws {PayforkError} `not_found`, `workflow_template_in_use`, `write_conflict`
   */
  deleteTemplate: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Deleted> =>
    call.change('DELETE', path`/v1/workflows/templates/${id}`, input, options),

  /**
   * List workflow rules.
   * `GET /v1/workflows/rules`: Requires the scope `workflows:read`.
   * With examples at `/docs/api/workflows#listWorkflowRules`.
   */
  listRules: (input?: ListWorkflowRulesQuery, options?: RequestOptions): List<WorkflowRule, WorkflowRuleList> =>
    call.list('/v1/workflows/rules', 'rules', input, options),

  /**
   * Create a workflow rule.
   * `POST /v1/workflows/rules`: Requires the scope `workflows:write`.
   * With examples at `/docs/api/workflows#createWorkflowRule`.
   * @throws {PayforkError} `workflow_loop`, `workflow_limit_reached`, `write_conflict`
   */
  createRule: (input: CreateWorkflowRule, options?: RequestOptions): ApiPromise<WorkflowRule> =>
    call.change('POST', '/v1/workflows/rules', input, options),

  /**
   * Get a workflow rule.
   * `GET /v1/workflows/rules/{id}`: Requires the scope `workflows:read`.
   * With examples at `/docs/api/workflows#getWorkflowRule`.
   * @throws {PayforkError} `not_found`
   */
  getRule: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<WorkflowRule> =>
    call.get(path`/v1/workflows/rules/${id}`, input, options),

  /**
   * Update a workflow rule.
   * `PATCH /v1/workflows/rules/{id}`: Requires the scope `workflows:write`.
   * With examples at `/docs/api/workflows#updateWorkflowRule`.
   * @throws {PayforkError} `workflow_loop`, `not_found`, `workflow_limit_reached`, `write_conflict`
   */
  updateRule: (id: string, input: UpdateWorkflowRule, options?: RequestOptions): ApiPromise<WorkflowRule> =>
    call.change('PATCH', path`/v1/workflows/rules/${id}`, input, options),

  /**
   * Delete a workflow rule.
   * `DELETE /v1/workflows/rules/{id}`: Requires the scope `workflows:write`.
   * With examples at `/docs/api/workflows#deleteWorkflowRule`.
   * @throws {PayforkError} `not_found`, `write_conflict`
   */
  deleteRule: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Deleted> =>
    call.change('DELETE', path`/v1/workflows/rules/${id}`, input, options),

  /**
   * List workflow executions.
   * `GET /v1/workflows/executions`: Requires the scope `workflows:read`.
   * With examples at `/docs/api/workflows#listWorkflowExecutions`.
   */
  listExecutions: (
    input?: ListWorkflowExecutionsQuery,
    options?: RequestOptions,
  ): List<WorkflowExecution, WorkflowExecutionList> =>
    call.list('/v1/workflows/executions', 'executions', input, options),

  /**
   * Run a workflow template for an event.
   * `POST /v1/workflows/executions`: Requires the scope `workflows:write`.
   * With examples at `/docs/api/workflows#startWorkflowExecution`.
   * @throws {PayforkError} `plan_limit_reached`, `not_found`
   */
  startExecution: (input: StartWorkflowExecution, options?: RequestOptions): ApiPromise<WorkflowExecution> =>
    call.change('POST', '/v1/workflows/executions', input, options),

  /**
   * Get a workflow execution.
   * `GET /v1/workflows/executions/{id}`: Requires the scope `workflows:read`.
   * With examples at `/docs/api/workflows#getWorkflowExecution`.
   * @throws {PayforkError} `not_found`
   */
  getExecution: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<WorkflowExecution> =>
    call.get(path`/v1/workflows/executions/${id}`, input, options),

  /**
   * Cancel a workflow execution.
   * `POST /v1/workflows/executions/{id}/cancel`: Requires the scope `workflows:write`.
   * With examples at `/docs/api/workflows#cancelWorkflowExecution`.
   * @throws {PayforkError} `not_found`, `workflow_execution_over`, `write_conflict`
   */
  cancelExecution: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<WorkflowExecution> =>
    call.change('POST', path`/v1/workflows/executions/${id}/cancel`, input, options),
});
