import { cancelExecution } from '#functions/workflows/executions/cancel-execution.usecase.ts';
import {
  ById as ExecutionById,
  ExecutionReply,
  ExecutionsReply,
  ListExecutionsQuery,
  StartExecutionBody,
} from '#functions/workflows/executions/executions.schema.ts';
import { getExecution } from '#functions/workflows/executions/get-execution.usecase.ts';
import { listExecutions } from '#functions/workflows/executions/list-executions.usecase.ts';
import { startExecution } from '#functions/workflows/executions/start-execution.usecase.ts';
import { createIntegration } from '#functions/workflows/integrations/create-integration.usecase.ts';
import { deleteIntegration } from '#functions/workflows/integrations/delete-integration.usecase.ts';
import { getIntegration } from '#functions/workflows/integrations/get-integration.usecase.ts';
import {
  CreateIntegrationBody,
  ById as IntegrationById,
  IntegrationReply,
  IntegrationsReply,
  ListIntegrationsQuery,
  UpdateIntegrationBody,
} from '#functions/workflows/integrations/integrations.schema.ts';
import { listIntegrations } from '#functions/workflows/integrations/list-integrations.usecase.ts';
import { updateIntegration } from '#functions/workflows/integrations/update-integration.usecase.ts';
import { createRule } from '#functions/workflows/rules/create-rule.usecase.ts';
import { deleteRule } from '#functions/workflows/rules/delete-rule.usecase.ts';
import { getRule } from '#functions/workflows/rules/get-rule.usecase.ts';
import { listRules } from '#functions/workflows/rules/list-rules.usecase.ts';
import {
  CreateRuleBody,
  ListRulesQuery,
  ById as RuleById,
  RuleReply,
  RulesReply,
  UpdateRuleBody,
} from '#functions/workflows/rules/rules.schema.ts';
import { updateRule } from '#functions/workflows/rules/update-rule.usecase.ts';
import { createTemplate } from '#functions/workflows/templates/create-template.usecase.ts';
import { deleteTemplate } from '#functions/workflows/templates/delete-template.usecase.ts';
import { getTemplate } from '#functions/workflows/templates/get-template.usecase.ts';
import { listTemplates } from '#functions/workflows/templates/list-templates.usecase.ts';
import {
  CreateTemplateBody,
  ListTemplatesQuery,
  ById as TemplateById,
  TemplateReply,
  TemplatesReply,
  UpdateTemplateBody,
} from '#functions/workflows/templates/templates.schema.ts';
import { updateTemplate } from '#functions/workflows/templates/update-template.usecase.ts';
import { type AnyRoute, del, get, patch, post } from '#shared/http/route.ts';
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

/** One to four words for people; what each does stands with its use case. */
export const workflowRoutes: readonly AnyRoute[] = [
  get(INTEGRATIONS, {
    ...read,
    summary: 'List integrations',
    query: ListIntegrationsQuery,
    reply: IntegrationsReply,
    run: listIntegrations,
  }),
  post(INTEGRATIONS, {
    ...write,
    summary: 'Create an integration',
    body: CreateIntegrationBody,
    reply: IntegrationReply,
    status: 201,
    run: createIntegration,
  }),
  get(`${INTEGRATIONS}/{id}`, { ...read, ...integration, summary: 'Get an integration', run: getIntegration }),
  patch(`${INTEGRATIONS}/{id}`, {
    ...write,
    ...integration,
    summary: 'Update an integration',
    body: UpdateIntegrationBody,
    run: updateIntegration,
  }),
  del(`${INTEGRATIONS}/{id}`, {
    ...write,
    params: IntegrationById,
    summary: 'Delete an integration',
    reply: DeletedReply,
    run: deleteIntegration,
  }),

  get(TEMPLATES, {
    ...read,
    summary: 'List workflow templates',
    query: ListTemplatesQuery,
    reply: TemplatesReply,
    run: listTemplates,
  }),
  post(TEMPLATES, {
    ...write,
    summary: 'Create a workflow template',
    body: CreateTemplateBody,
    reply: TemplateReply,
    status: 201,
    run: createTemplate,
  }),
  get(`${TEMPLATES}/{id}`, { ...read, ...template, summary: 'Get a workflow template', run: getTemplate }),
  patch(`${TEMPLATES}/{id}`, {
    ...write,
    ...template,
    summary: 'Update a workflow template',
    body: UpdateTemplateBody,
    run: updateTemplate,
  }),
  del(`${TEMPLATES}/{id}`, {
    ...write,
    params: TemplateById,
    summary: 'Delete a workflow template',
    reply: DeletedReply,
    run: deleteTemplate,
  }),

  get(RULES, { ...read, summary: 'List workflow rules', query: ListRulesQuery, reply: RulesReply, run: listRules }),
  post(RULES, {
    ...write,
    summary: 'Create a workflow rule',
    body: CreateRuleBody,
    reply: RuleReply,
    status: 201,
    run: createRule,
  }),
  get(`${RULES}/{id}`, { ...read, ...rule, summary: 'Get a workflow rule', run: getRule }),
  patch(`${RULES}/{id}`, {
    ...write,
    ...rule,
    summary: 'Update a workflow rule',
    body: UpdateRuleBody,
    run: updateRule,
  }),
  del(`${RULES}/{id}`, {
    ...write,
    params: RuleById,
    summary: 'Delete a workflow rule',
    reply: DeletedReply,
    run: deleteRule,
  }),

  get(EXECUTIONS, {
    ...read,
    summary: 'List workflow executions',
    query: ListExecutionsQuery,
    reply: ExecutionsReply,
    run: listExecutions,
  }),
  post(EXECUTIONS, {
    ...write,
    summary: 'Run a workflow template for an event',
    body: StartExecutionBody,
    reply: ExecutionReply,
    status: 201,
    prefetch: true,
    run: startExecution,
  }),
  get(`${EXECUTIONS}/{id}`, { ...read, ...execution, summary: 'Get a workflow execution', run: getExecution }),
  post(`${EXECUTIONS}/{id}/cancel`, {
    ...write,
    ...execution,
    summary: 'Cancel a workflow execution',
    body: NoBody,
    bodyOptional: true,
    run: cancelExecution,
  }),
];
