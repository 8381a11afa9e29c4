import {
  ById as ExecutionById,
  ExecutionReply,
  ExecutionsReply,
  ListExecutionsQuery,
  StartExecutionBody,
} from '#functions/workflows/executions/executions.schema.ts';
import { getExecution, listExecutions } from '#functions/workflows/executions/get-executions.usecase.ts';
import { cancelExecution, startExecution } from '#functions/workflows/executions/start-execution.usecase.ts';
import { createIntegration } from '#functions/workflows/integrations/create-integration.usecase.ts';
import { getIntegration, listIntegrations } from '#functions/workflows/integrations/get-integrations.usecase.ts';
import {
  CreateIntegrationBody,
  ById as IntegrationById,
  IntegrationReply,
  IntegrationsReply,
  ListIntegrationsQuery,
  UpdateIntegrationBody,
} from '#functions/workflows/integrations/integrations.schema.ts';
import { deleteIntegration, updateIntegration } from '#functions/workflows/integrations/update-integration.usecase.ts';
import { getRule, listRules } from '#functions/workflows/rules/get-rules.usecase.ts';
import {
  CreateRuleBody,
  ListRulesQuery,
  ById as RuleById,
  RuleReply,
  RulesReply,
  UpdateRuleBody,
} from '#functions/workflows/rules/rules.schema.ts';
import { createRule, deleteRule, updateRule } from '#functions/workflows/rules/save-rule.usecase.ts';
import { getTemplate, listTemplates } from '#functions/workflows/templates/get-templates.usecase.ts';
import {
  createTemplate,
  deleteTemplate,
  updateTemplate,
} from '#functions/workflows/templates/save-template.usecase.ts';
import {
  CreateTemplateBody,
  ListTemplatesQuery,
  ById as TemplateById,
  TemplateReply,
  TemplatesReply,
  UpdateTemplateBody,
} from '#functions/workflows/templates/templates.schema.ts';
import { del, get, list, patch, post } from '#shared/http/route.ts';
import { DeletedReply, NoBody } from '#shared/http/schema/common.schema.ts';

const read = { scope: 'workflows:read' } as const;
const write = { scope: 'workflows:write' } as const;

const INTEGRATIONS = '/v1/workflows/integrations';
const TEMPLATES = '/v1/workflows/templates';
const RULES = '/v1/workflows/rules';
const EXECUTIONS = '/v1/workflows/executions';

const integration = { params: IntegrationById, reply: IntegrationReply };
const template = { params: TemplateById, reply: TemplateReply };
const rule = { params: RuleById, reply: RuleReply };
const execution = { params: ExecutionById, reply: ExecutionReply };

export const workflowRoutes = [
  list(INTEGRATIONS, {
    ...read,
    summary: 'List integrations',
    query: ListIntegrationsQuery,
    reply: IntegrationsReply,
    items: 'integrations',
    operationId: 'listWorkflowIntegrations',
    run: listIntegrations,
  }),
  post(INTEGRATIONS, {
    ...write,
    summary: 'Create an integration',
    body: CreateIntegrationBody,
    reply: IntegrationReply,
    status: 201,
    location: `${INTEGRATIONS}/{id}`,
    errors: ['url_not_allowed', 'workflow_limit_reached', 'write_conflict'],
    operationId: 'createWorkflowIntegration',
    run: createIntegration,
  }),
  get(`${INTEGRATIONS}/{id}`, {
    ...read,
    ...integration,
    summary: 'Get an integration',
    operationId: 'getWorkflowIntegration',
    run: getIntegration,
  }),
  patch(`${INTEGRATIONS}/{id}`, {
    ...write,
    ...integration,
    summary: 'Update an integration',
    body: UpdateIntegrationBody,
    errors: ['url_not_allowed', 'write_conflict'],
    operationId: 'updateWorkflowIntegration',
    run: updateIntegration,
  }),
  del(`${INTEGRATIONS}/{id}`, {
    ...write,
    params: IntegrationById,
    summary: 'Delete an integration',
    reply: DeletedReply,
    errors: ['workflow_integration_in_use', 'write_conflict'],
    operationId: 'deleteWorkflowIntegration',
    run: deleteIntegration,
  }),

  list(TEMPLATES, {
    ...read,
    summary: 'List workflow templates',
    query: ListTemplatesQuery,
    reply: TemplatesReply,
    items: 'templates',
    operationId: 'listWorkflowTemplates',
    run: listTemplates,
  }),
  post(TEMPLATES, {
    ...write,
    summary: 'Create a workflow template',
    body: CreateTemplateBody,
    reply: TemplateReply,
    status: 201,
    location: `${TEMPLATES}/{id}`,
    errors: ['workflow_loop', 'workflow_limit_reached', 'write_conflict'],
    operationId: 'createWorkflowTemplate',
    run: createTemplate,
  }),
  get(`${TEMPLATES}/{id}`, {
    ...read,
    ...template,
    summary: 'Get a workflow template',
    operationId: 'getWorkflowTemplate',
    run: getTemplate,
  }),
  patch(`${TEMPLATES}/{id}`, {
    ...write,
    ...template,
    summary: 'Update a workflow template',
    body: UpdateTemplateBody,
    errors: ['workflow_loop', 'write_conflict'],
    operationId: 'updateWorkflowTemplate',
    run: updateTemplate,
  }),
  del(`${TEMPLATES}/{id}`, {
    ...write,
    params: TemplateById,
    summary: 'Delete a workflow template',
    reply: DeletedReply,
    errors: ['workflow_template_in_use', 'write_conflict'],
    operationId: 'deleteWorkflowTemplate',
    run: deleteTemplate,
  }),

  list(RULES, {
    ...read,
    summary: 'List workflow rules',
    query: ListRulesQuery,
    reply: RulesReply,
    items: 'rules',
    operationId: 'listWorkflowRules',
    run: listRules,
  }),
  post(RULES, {
    ...write,
    summary: 'Create a workflow rule',
    body: CreateRuleBody,
    reply: RuleReply,
    status: 201,
    location: `${RULES}/{id}`,
    errors: ['workflow_loop', 'workflow_limit_reached', 'write_conflict'],
    operationId: 'createWorkflowRule',
    run: createRule,
  }),
  get(`${RULES}/{id}`, {
    ...read,
    ...rule,
    summary: 'Get a workflow rule',
    operationId: 'getWorkflowRule',
    run: getRule,
  }),
  patch(`${RULES}/{id}`, {
    ...write,
    ...rule,
    summary: 'Update a workflow rule',
    body: UpdateRuleBody,
    errors: ['workflow_loop', 'workflow_limit_reached', 'write_conflict'],
    operationId: 'updateWorkflowRule',
    run: updateRule,
  }),
  del(`${RULES}/{id}`, {
    ...write,
    params: RuleById,
    summary: 'Delete a workflow rule',
    reply: DeletedReply,
    errors: ['write_conflict'],
    operationId: 'deleteWorkflowRule',
    run: deleteRule,
  }),

  list(EXECUTIONS, {
    ...read,
    summary: 'List workflow executions',
    query: ListExecutionsQuery,
    reply: ExecutionsReply,
    items: 'executions',
    operationId: 'listWorkflowExecutions',
    run: listExecutions,
  }),
  post(EXECUTIONS, {
    ...write,
    summary: 'Run a workflow template for an event',
    body: StartExecutionBody,
    reply: ExecutionReply,
    status: 201,
    prefetch: true,
    location: `${EXECUTIONS}/{id}`,
    errors: ['not_found', 'plan_limit_reached'],
    operationId: 'startWorkflowExecution',
    run: startExecution,
  }),
  get(`${EXECUTIONS}/{id}`, {
    ...read,
    ...execution,
    summary: 'Get a workflow execution',
    operationId: 'getWorkflowExecution',
    run: getExecution,
  }),
  post(`${EXECUTIONS}/{id}/cancel`, {
    ...write,
    ...execution,
    summary: 'Cancel a workflow execution',
    body: NoBody,
    bodyOptional: true,
    errors: ['workflow_execution_over', 'write_conflict'],
    operationId: 'cancelWorkflowExecution',
    run: cancelExecution,
  }),
];
